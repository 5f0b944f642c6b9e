import type { Job, JobStatus } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkIndexes, checkOverlap } from './status-indexes.ts';

const holds = ({ conditions }: JobStatus, type: string, status = 'True'): boolean =>
  (conditions ?? []).some((condition) => condition.type === type && condition.status === status);

/** What the conditions of a status say about the job. */
interface Course {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly finished: boolean;
  /** Whether the job will be complete, and its last pods end. */
  readonly succeeding: boolean;
  /** Whether the job will have failed, and its last pods end. */
  readonly failing: boolean;
}

function courseOf(status: JobStatus): Course {
  const [complete, failed] = [holds(status, 'Complete'), holds(status, 'Failed')];
  return {
    complete,
    failed,
    finished: complete || failed,
    succeeding: holds(status, 'SuccessCriteriaMet'),
    failing: holds(status, 'FailureTarget'),
  };
}

/** A job before and after a change of its status. */
interface Progress {
  readonly next: Job;
  readonly status: JobStatus;
  readonly before: JobStatus;
  readonly course: Course;
  readonly past: Course;
  /** Whether a field of the status is another than before. */
  changed(...fields: readonly (keyof JobStatus)[]): boolean;
  /** Whether the job is in another state than before. */
  turned(...states: readonly (keyof Course)[]): boolean;
}

function progressOf(next: Job, old: Job): Progress {
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const [course, past] = [courseOf(status), courseOf(before)];
  return {
    next,
    status,
    before,
    course,
    past,
    changed: (...fields) => fields.some((field) => !jsonEquals(status[field] ?? null, before[field] ?? null)),
    turned: (...states) => states.some((state) => course[state] !== past[state]),
  };
}

/**
 * Checks the pods that are not counted yet, and from 1.32 on, where another controller may manage a job, that its status is
 * consistent: a rule applies to what the write changes.
 */
export function validateJobStatus(
  next: Job,
  old: Job,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  const uncounted = checkUncounted(next.status ?? {});
  if (!since('1.32', 'JobManagedBy')) return uncounted;
  const progress = progressOf(next, old);
  return [
    ...uncounted,
    ...checkCourse(progress),
    ...checkEnd(progress),
    ...checkTimes(progress),
    ...checkIndexesOf(progress),
    ...checkCounts(progress),
  ];
}

/** Pods are selected by their uid, which is never empty, and each is counted once. */
function checkUncounted({ uncountedTerminatedPods = {} }: JobStatus): readonly FieldError[] {
  const { succeeded = [] } = uncountedTerminatedPods;
  const known = new Set(succeeded);
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (uncountedTerminatedPods[field] ?? []).flatMap((uid, i) => {
      const path = `status.uncountedTerminatedPods.${field}[${i}]`;
      if (uid === '') return [fieldError.invalid(path, uid, 'must not be empty')];
      // A pod that the same list has twice is reported with the list.
      return field === 'failed' && known.has(uid) ? [fieldError.duplicate(path, uid)] : [];
    }),
  );
}

/** A wrong condition, and its message. */
type Wrong = readonly [isWrong: boolean, why: string];

const checkEach = (wrong: readonly Wrong[]): readonly FieldError[] =>
  wrong.flatMap(([isWrong, why]) => (isWrong ? [fieldError.invalid('status.conditions', null, why)] : []));

const terminal = ['Failed', 'Complete', 'FailureTarget'] as const;

/** A job succeeds or fails, the condition that announces it comes first, and it stays so. */
function checkCourse({
  next,
  status,
  before,
  course,
  past,
  changed,
  turned,
}: Progress): readonly FieldError[] {
  const { complete, failed, succeeding, failing } = course;
  const fails = turned('failed') || changed('failedIndexes');
  return checkEach([
    [
      turned('complete', 'failed') && complete && failed,
      'cannot set Complete=True and Failed=true conditions',
    ],
    [
      turned('complete', 'failing') && complete && failing,
      'cannot set Complete=True and FailureTarget=true conditions',
    ],
    [
      fails && failed && !failing,
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      turned('complete', 'succeeding') && complete && !succeeding,
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [succeeding && failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    [succeeding && failing, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
    [
      next.spec?.successPolicy !== undefined && complete && !succeeding,
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ],
    ...terminal.map(
      (type): Wrong => [
        holds(before, type) && !holds(status, type),
        `cannot disable the terminal ${type}=True condition`,
      ],
    ),
    [past.succeeding && !succeeding, 'cannot disable the SuccessCriteriaMet=True condition'],
    [
      past.complete && !past.succeeding && succeeding,
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
    ],
  ]);
}

/** A job that has ended has started, and has no pods. */
function checkEnd({ next, status, course, changed, turned }: Progress): readonly FieldError[] {
  if (!course.finished) return [];
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods: uncounted = {} } = status;
  const rest = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0);
  const ends = turned('finished');
  const neverRuns = next.spec?.suspend === true && next.spec.completions === 0;
  return [
    ...((ends || changed('active')) && active > 0
      ? [fieldError.invalid('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...((ends || changed('startTime')) && startTime === undefined && !neverRuns
      ? [fieldError.required('status.startTime', 'startTime is required for finished job')]
      : []),
    ...((ends || changed('uncountedTerminatedPods')) && rest > 0
      ? [fieldError.invalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job')]
      : []),
    ...((ends || changed('terminating')) && terminating > 0
      ? [fieldError.invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
  ];
}

/** A job is complete at one time, after its start, which stays while it is not suspended. */
function checkTimes({ next, status, before, course, changed, turned }: Progress): readonly FieldError[] {
  const { startTime, completionTime } = status;
  const path = 'status.completionTime';
  const errors: FieldError[] = [];
  if (turned('complete') || changed('completionTime')) {
    if (completionTime !== undefined && !course.complete)
      errors.push(
        fieldError.invalid(
          path,
          completionTime,
          'cannot set completionTime when there is no Complete=True condition',
        ),
      );
    if (completionTime === undefined && course.complete)
      errors.push(fieldError.required(path, 'completionTime is required for Complete jobs'));
  }
  const isMoved = changed('startTime', 'completionTime');
  if (isMoved && startTime !== undefined && completionTime !== undefined)
    if (Date.parse(`${completionTime}`) < Date.parse(`${startTime}`))
      errors.push(fieldError.invalid(path, completionTime, 'must be equal to or after `startTime`'));
  const isReplaced = completionTime !== undefined && before.completionTime !== undefined;
  if (isReplaced && changed('completionTime'))
    errors.push(fieldError.invalid(path, completionTime, 'field is immutable'));
  const resumes = holds(before, 'Suspended') && holds(status, 'Suspended', 'False');
  if (before.startTime !== undefined && changed('startTime') && !resumes && next.spec?.suspend !== true) {
    const why = 'field is immutable for unsuspended job once set';
    errors.push(fieldError.invalid('status.startTime', startTime ?? null, why));
  }
  return errors;
}

/** Only an indexed job has indexes of completions, and no index both succeeds and fails. */
function checkIndexesOf({ next, status, changed }: Progress): readonly FieldError[] {
  const { completions, completionMode, backoffLimitPerIndex } = next.spec ?? {};
  const { completedIndexes = '', failedIndexes } = status;
  const errors: FieldError[] = [];
  if (changed('completedIndexes')) {
    const path = 'status.completedIndexes';
    if (completions !== undefined) errors.push(...checkIndexes(path, completedIndexes, completions));
    if (completedIndexes !== '' && completionMode !== 'Indexed') {
      const why = 'cannot set non-empty completedIndexes when non-indexed completion mode';
      errors.push(fieldError.invalid(path, completedIndexes, why));
    }
  }
  if (failedIndexes === undefined || !changed('failedIndexes', 'completedIndexes')) return errors;
  const path = 'status.failedIndexes';
  if (changed('failedIndexes')) {
    if (backoffLimitPerIndex === undefined) {
      const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
      errors.push(fieldError.invalid(path, failedIndexes, why));
    } else if (completions !== undefined) errors.push(...checkIndexes(path, failedIndexes, completions));
  }
  return completions === undefined
    ? errors
    : [...errors, ...checkOverlap(path, { completedIndexes, failedIndexes, completions })];
}

/** Counters do not decrease, and only pods that run are ready. */
function checkCounts({ next, status, before, changed }: Progress): readonly FieldError[] {
  const { completionMode, completions, parallelism } = next.spec ?? {};
  const { active = 0, ready, failed = 0, succeeded = 0 } = status;
  const isElastic = completionMode === 'Indexed' && completions === parallelism;
  const errors: FieldError[] = [];
  if (changed('ready', 'active') && ready !== undefined && ready > active)
    errors.push(fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active'));
  if (failed < (before.failed ?? 0))
    errors.push(fieldError.invalid('status.failed', failed, 'cannot decrease the failed counter'));
  if (succeeded < (before.succeeded ?? 0) && !isElastic)
    errors.push(fieldError.invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  return errors;
}
