import { type EventNote, isBeingDeleted, type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import { formatTime, timeMs } from '@orch/machinery/time';
import { finishedJob, stillActive } from './cron-job-events.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { formatWallTime } from './wall-clock.ts';

type CronJob = Stored<kinds.batch.CronJob>;
type Job = Stored<kinds.batch.Job>;

const MINUTE_MS = 60_000;
const SUCCEEDED_LIMIT = 3;
const FAILED_LIMIT = 1;

export interface CronJobState {
  readonly cronJob: CronJob;
  /** The jobs that it controls. */
  readonly jobs: readonly Job[];
  readonly nowMs: number;
  /** The annotation of jobs with the time of the schedule; undefined where the release has none. */
  readonly timeAnnotation: string | undefined;
}

export interface CronJobDecision {
  readonly create?: kinds.batch.Job;
  /** Finished jobs beyond the limits, and those that the next one replaces. */
  readonly remove: readonly Job[];
  readonly status: kinds.batch.CronJobStatus;
  /** What happened, beside creations and deletions. */
  readonly notes: readonly EventNote[];
  readonly recheckMs?: number;
}

const hasCondition = ({ status }: Job, type: string): boolean =>
  (status?.conditions ?? []).some((each) => each.type === type && each.status === 'True');
const isFinished = (job: Job): boolean => hasCondition(job, 'Complete') || hasCondition(job, 'Failed');

/** Decides about the job of the latest time of the schedule. A schedule that cannot be parsed has no times. */
export function decideCronJob(state: CronJobState): CronJobDecision {
  const { cronJob, jobs, nowMs } = state;
  const { spec } = cronJob;
  const active = jobs.filter((job) => !isFinished(job));
  const surplus = [
    ...oldest(
      jobs.filter((job) => hasCondition(job, 'Complete')),
      spec?.successfulJobsHistoryLimit ?? SUCCEEDED_LIMIT,
    ),
    ...oldest(
      jobs.filter((job) => hasCondition(job, 'Failed')),
      spec?.failedJobsHistoryLimit ?? FAILED_LIMIT,
    ),
  ];
  const schedule = parseSchedule(spec?.schedule ?? '', spec?.timeZone);
  const status = statusOf(state, active);
  const notes = endsOf(state);
  if (schedule === undefined || spec?.suspend === true || isBeingDeleted(cronJob))
    return { remove: surplus, status, notes };
  const nextMs = schedule.next(nowMs);
  const recheck = nextMs === undefined ? {} : { recheckMs: nextMs - nowMs };
  const dueMs = latestTime(schedule, earliestMs(cronJob, nowMs), nowMs);
  const due = dueMs === undefined ? undefined : jobAt(state, dueMs);
  // Its job exists when only the status could not be written.
  const isMade = due !== undefined && jobs.some(({ metadata }) => metadata.name === due.metadata.name);
  if (dueMs !== undefined && isMade)
    return { remove: surplus, status: { ...status, lastScheduleTime: formatTime(dueMs) }, notes, ...recheck };
  const isBlocked = spec?.concurrencyPolicy === 'Forbid' && active.length > 0;
  if (dueMs === undefined || due === undefined) return { remove: surplus, status, notes, ...recheck };
  if (isBlocked) return { remove: surplus, status, notes: [...notes, stillActive], ...recheck };
  const replaced = spec?.concurrencyPolicy === 'Replace' ? active : [];
  const lastScheduleTime = formatTime(dueMs);
  return {
    create: due,
    remove: [...surplus, ...replaced],
    status: { ...status, lastScheduleTime },
    notes,
    ...recheck,
  };
}

/** The events about jobs that were active by the status, and have ended. */
function endsOf({ cronJob, jobs }: CronJobState): readonly EventNote[] {
  const known = new Set((cronJob.status?.active ?? []).map(({ uid }) => uid));
  return jobs
    .filter((job) => known.has(job.metadata.uid) && isFinished(job))
    .map((job) => finishedJob(job.metadata.name, hasCondition(job, 'Complete') ? 'Complete' : 'Failed'));
}

/** Times up to this one are done, or too late by the deadline. */
function earliestMs({ spec, status, metadata }: CronJob, nowMs: number): number {
  const doneMs = timeMs(status?.lastScheduleTime ?? '') ?? timeMs(metadata.creationTimestamp ?? '') ?? nowMs;
  const seconds = spec?.startingDeadlineSeconds;
  return seconds === undefined ? doneMs : Math.max(doneMs, nowMs - Number(seconds) * 1000);
}

/** The latest time after `afterMs` and not after now. The search goes back step by step: years may have been missed. */
export function latestTime(schedule: Schedule, afterMs: number, nowMs: number): number | undefined {
  for (let spanMs = MINUTE_MS; ; spanMs *= 2) {
    const fromMs = Math.max(afterMs, nowMs - spanMs);
    let found = schedule.next(fromMs);
    if (found !== undefined && found <= nowMs) {
      for (let next = schedule.next(found); next !== undefined && next <= nowMs; next = schedule.next(next))
        found = next;
      return found;
    }
    if (fromMs === afterMs) return undefined;
  }
}

const oldest = (jobs: readonly Job[], kept: number): readonly Job[] =>
  [...jobs].sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1)).slice(0, Math.max(0, jobs.length - kept));
const startOf = ({ status, metadata }: Job): string =>
  `${status?.startTime ?? metadata.creationTimestamp ?? ''} ${metadata.name}`;

function statusOf({ cronJob, jobs }: CronJobState, active: readonly Job[]): kinds.batch.CronJobStatus {
  const old = cronJob.status ?? {};
  const ends = jobs
    .filter((job) => hasCondition(job, 'Complete'))
    .map(({ status }) => status?.completionTime ?? '');
  const lastSuccessfulTime = [old.lastSuccessfulTime ?? '', ...ends].sort().at(-1) ?? '';
  return {
    active: active.map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      uid: metadata.uid,
    })),
    ...(old.lastScheduleTime !== undefined && { lastScheduleTime: old.lastScheduleTime }),
    ...(lastSuccessfulTime !== '' && { lastSuccessfulTime }),
  };
}

/** The name contains the time, so that no time has two jobs. */
function jobAt({ cronJob, timeAnnotation }: CronJobState, dueMs: number): kinds.batch.Job {
  const { metadata = {}, spec } = cronJob.spec?.jobTemplate ?? {};
  const { name, namespace } = cronJob.metadata;
  return {
    metadata: {
      name: `${name}-${Math.floor(dueMs / MINUTE_MS)}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...metadata.labels },
      annotations: {
        ...metadata.annotations,
        ...(timeAnnotation !== undefined && {
          [timeAnnotation]: formatWallTime(dueMs, cronJob.spec?.timeZone),
        }),
      },
      ownerReferences: [ownerReferenceTo(cronJob)],
    },
    ...(spec !== undefined && { spec }),
  };
}
