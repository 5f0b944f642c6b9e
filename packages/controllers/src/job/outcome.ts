import type { kinds, Stored } from '@orch/client';
import { timeMs } from '@orch/machinery/time';
import type { Account } from './account.ts';
import { parseIndexes } from './indexes.ts';
import { completionsOf, isIndexed } from './job-state.ts';
import type { PodsOfJob } from './plan.ts';

type Job = Stored<kinds.batch.Job>;
type Pod = Stored<kinds.core.Pod>;

/** How a job ends. The same reason and message are at its final condition. */
export interface JobOutcome {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

const failed = (reason: string, message: string): JobOutcome => ({ type: 'Failed', reason, message });
const complete = (reason: string, message: string): JobOutcome => ({ type: 'Complete', reason, message });

const conditionOf = ({ status }: Job, type: string) =>
  (status?.conditions ?? []).find((condition) => condition.type === type && condition.status === 'True');

/** Reports whether a job has ended, so that nothing about it changes any more. */
export const isFinished = (job: Job): boolean =>
  conditionOf(job, 'Complete') !== undefined || conditionOf(job, 'Failed') !== undefined;

interface State {
  readonly account: Account;
  readonly pods: PodsOfJob;
  readonly nowMs: number;
  readonly waitsForPods: boolean;
}

/** The end of a job that is decided: earlier, by its conditions, or now. Undefined while it goes on. */
export function outcomeOf(job: Job, { account, pods, nowMs, waitsForPods }: State): JobOutcome | undefined {
  const { running, active } = pods;
  const target = conditionOf(job, 'FailureTarget');
  if (target !== undefined) return failed(target.reason ?? '', target.message ?? '');
  const met = conditionOf(job, 'SuccessCriteriaMet');
  if (met !== undefined) return complete(met.reason ?? '', met.message ?? '');
  if (account.fatal !== undefined) return failed('PodFailurePolicy', account.fatal.message);
  return (
    failureOf(job, account, running) ??
    deadlineOf(job, nowMs) ??
    indexFailureOf(job, account) ??
    successOf(job, account, { active, waitsForPods })
  );
}

function failureOf(job: Job, { failures }: Account, running: readonly Pod[]): JobOutcome | undefined {
  const limit = job.spec?.backoffLimit ?? 6;
  if (failures > limit || restartsAreOver(job, running, limit))
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  return undefined;
}

/** Restarts of containers within their pods count as failures. */
function restartsAreOver({ spec }: Job, running: readonly Pod[], limit: number): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = running
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** The time until the deadline of a job; undefined without one, or while it has not started. */
export function untilDeadlineMs({ spec, status }: Job, nowMs: number): number | undefined {
  const startedMs = timeMs(status?.startTime ?? '');
  const seconds = spec?.activeDeadlineSeconds;
  if (seconds === undefined || startedMs === undefined || spec?.suspend === true) return undefined;
  return startedMs + Number(seconds) * 1000 - nowMs;
}

function deadlineOf(job: Job, nowMs: number): JobOutcome | undefined {
  const leftMs = untilDeadlineMs(job, nowMs);
  if (leftMs === undefined || leftMs > 0) return undefined;
  return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
}

function indexFailureOf(job: Job, { failedIndexes, completedIndexes }: Account): JobOutcome | undefined {
  const most = job.spec?.maxFailedIndexes;
  if (most !== undefined && failedIndexes.size > most)
    return failed(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  const isDone = isIndexed(job) && failedIndexes.size + completedIndexes.size >= (completionsOf(job) ?? 0);
  return isDone && failedIndexes.size > 0 ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

function successOf(
  job: Job,
  account: Account,
  { active, waitsForPods }: Pick<PodsOfJob, 'active'> & Pick<State, 'waitsForPods'>,
): JobOutcome | undefined {
  const byPolicy = policySuccess(job, account);
  if (byPolicy !== undefined) return byPolicy;
  const { successes } = account;
  const completions = completionsOf(job);
  // Without a number of completions, the first success ends the job, and pods that still run finish their work.
  const finishWork = completions === undefined || !waitsForPods;
  const isMet = successes >= (completions ?? 1) && (!finishWork || active.length === 0);
  return isMet ? complete('CompletionsReached', 'Reached expected number of succeeded pods') : undefined;
}

function policySuccess(job: Job, { completedIndexes }: Account): JobOutcome | undefined {
  if (!isIndexed(job)) return undefined;
  const count = completionsOf(job) ?? 0;
  const at = (job.spec?.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    const wanted = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes, count);
    const met =
      wanted === undefined
        ? completedIndexes.size
        : [...wanted].filter((index) => completedIndexes.has(index)).length;
    return met > 0 && met >= (succeededCount ?? wanted?.size ?? count);
  });
  return at < 0 ? undefined : complete('SuccessPolicy', `Matched rules at index ${at}`);
}
