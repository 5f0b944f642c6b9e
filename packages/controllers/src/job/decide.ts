import { isBeingDeleted, type kinds, type Stored } from '@orch/client';
import { formatTime } from '@orch/machinery/time';
import { withCondition } from '../api/conditions.ts';
import { hasEnded, isReady } from '../pods/pod-state.ts';
import { type Account, accountOf, endedPods, MAX_UNCOUNTED, withStopped } from './account.ts';
import { type BackoffRecord, nextBackoff } from './backoff.ts';
import { verdictOf } from './failure-policy.ts';
import { heldPods } from './indexed-pods.ts';
import { formatIndexes } from './indexes.ts';
import { hasFailed, hasFinalizer, hasSucceeded, indexOf, isIndexed, type JobState } from './job-state.ts';
import { isFinished, type JobOutcome, outcomeOf, untilDeadlineMs } from './outcome.ts';
import { noPlan, type Plan, type PlanSituation, type PodSlot, type PodsOfJob, planOf } from './plan.ts';

type Pod = Stored<kinds.core.Pod>;
type JobStatus = kinds.batch.JobStatus;
type JobCondition = kinds.batch.JobCondition;

export interface JobSituation extends PlanSituation {
  /** Whether a pod is being deleted, as far as the controller knows. */
  isEnding(pod: Pod): boolean;
  /** The record of the previous decision; undefined for a job that this process has not seen. */
  readonly backoff: BackoffRecord | undefined;
}

export interface JobDecision {
  readonly create: readonly PodSlot[];
  /** Pods to delete; they are not counted as failures. */
  readonly remove: readonly Pod[];
  /** Pods whose finalizer can be removed once the status is written. */
  readonly release: readonly Pod[];
  /** The status, in which the pods to create are not counted. */
  readonly status: JobStatus;
  /** For the next decision, once the status is written. */
  readonly backoff: BackoffRecord;
  readonly recheckMs?: number;
}

/** Decides about a job by its pods. Its status must be written after creations and before finalizers are removed. */
export function decideJob(situation: JobSituation): JobDecision {
  const { job, pods, keys, nowMs } = situation;
  const backoff = nextBackoff(situation.backoff, newlyEnded(situation));
  const tracked = pods.filter((pod) => hasFinalizer(pod, keys));
  if (isFinished(job)) return { ...noPlan, release: tracked, status: job.status ?? {}, backoff };
  const held = isBeingDeleted(job) ? new Set<string>() : heldPods(situation);
  const counted = accountOf(situation, held);
  const running = pods.filter((pod) => !hasEnded(pod));
  const active = running.filter((pod) => !situation.isEnding(pod));
  const { waitsForPods } = keys;
  const outcome = outcomeOf(job, { account: counted, pods: { running, active }, nowMs, waitsForPods });
  const ended = outcome === undefined ? counted : accountOf(situation, new Set());
  const plan = courseOf(situation, outcome, { account: ended, backoff }, { running, active });
  const isStopping = outcome?.type === 'Failed' && keys.isTracked;
  const account = isStopping ? withStopped(ended, situation, stoppedPods(plan, running, active)) : ended;
  const removed = new Set(plan.remove);
  const left = { running, active: active.filter((pod) => !removed.has(pod)) };
  const canBeReleased = isBeingDeleted(job) ? () => true : releasable(situation, account, held);
  const unfinished = waitsForPods ? running : active;
  const isOver = outcome !== undefined && unfinished.length === 0 && isSettled(account);
  return {
    create: plan.create,
    remove: plan.remove,
    release: tracked.filter((pod) => !removed.has(pod) && canBeReleased(pod)),
    status: statusOf(situation, { account, ...left }, { outcome, isOver }),
    backoff,
    ...recheck(situation, plan.waitMs),
  };
}

/** The status after so many pods were created. */
export function withCreated(status: JobStatus, created: number): JobStatus {
  return created === 0 ? status : { ...status, active: (status.active ?? 0) + created };
}

/** The pods that have ended since the decision before; without one, all. */
function newlyEnded(situation: JobSituation): ReturnType<typeof endedPods> {
  if (situation.backoff !== undefined) return endedPods(situation);
  const { job, pods, keys } = situation;
  const ended = pods.filter((pod) => hasEnded(pod) || hasFinalizer(pod, keys));
  return { succeeded: ended.filter(hasSucceeded), failed: ended.filter((pod) => hasFailed(pod, job)) };
}

function courseOf(
  situation: JobSituation,
  outcome: JobOutcome | undefined,
  state: { readonly account: Account; readonly backoff: BackoffRecord },
  pods: PodsOfJob,
): Plan {
  const { job } = situation;
  if (outcome?.type === 'Failed') return { create: [], remove: pods.active.slice(0, MAX_UNCOUNTED) };
  if (outcome !== undefined) return { create: [], remove: pods.active };
  if (isBeingDeleted(job)) return noPlan;
  if (job.spec?.suspend === true) return { create: [], remove: pods.active };
  return planOf(situation, state, pods);
}

/** The pods that a failed job stops now, and those that were being deleted already. */
function stoppedPods({ remove }: Plan, running: readonly Pod[], active: readonly Pod[]): readonly Pod[] {
  const going = new Set(active);
  return [...remove, ...running.filter((pod) => !going.has(pod))];
}

const isSettled = ({ uncountedSucceeded, uncountedFailed }: Account): boolean =>
  uncountedSucceeded.length + uncountedFailed.length === 0;

/** Reports whether a pod is in the account, or need not be, so that it can be released. */
function releasable({ job, keys }: JobState, account: Account, held: ReadonlySet<string>) {
  const waiting = new Set([...account.uncountedSucceeded, ...account.uncountedFailed]);
  return (pod: Pod): boolean => {
    if (waiting.has(pod.metadata.uid)) return true;
    if (hasSucceeded(pod)) return isIndexed(job);
    if (!hasFailed(pod, job) || held.has(pod.metadata.uid)) return false;
    if (isIndexed(job) && indexOf(pod, job, keys) === undefined) return true;
    return verdictOf(pod, job.spec?.podFailurePolicy).action === 'Ignore';
  };
}

function recheck({ job, nowMs }: JobSituation, waitMs: number | undefined): { readonly recheckMs?: number } {
  const waits = [waitMs, untilDeadlineMs(job, nowMs)].filter((ms) => ms !== undefined && ms > 0) as number[];
  return waits.length === 0 ? {} : { recheckMs: Math.min(...waits) };
}

function statusOf(
  situation: JobSituation,
  { account, running, active }: PodsOfJob & { readonly account: Account },
  { outcome, isOver }: { readonly outcome: JobOutcome | undefined; readonly isOver: boolean },
): JobStatus {
  const { job, nowMs } = situation;
  const { uncountedSucceeded, uncountedFailed, completedIndexes, failedIndexes } = account;
  const now = formatTime(nowMs);
  const startTime = startTimeOf(job, outcome, now);
  return {
    conditions: conditionsOf(situation, outcome, isOver),
    ...(startTime !== undefined && { startTime }),
    ...(isOver && outcome?.type === 'Complete' && { completionTime: now }),
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: running.length - active.length,
    succeeded: account.succeeded,
    failed: account.failed,
    ...(completedIndexes.size > 0 && { completedIndexes: formatIndexes(completedIndexes) }),
    ...(job.spec?.backoffLimitPerIndex !== undefined && { failedIndexes: formatIndexes(failedIndexes) }),
    ...(situation.keys.isTracked && {
      uncountedTerminatedPods: {
        ...(uncountedSucceeded.length > 0 && { succeeded: [...uncountedSucceeded] }),
        ...(uncountedFailed.length > 0 && { failed: [...uncountedFailed] }),
      },
    }),
  };
}

/** A job that is suspended has no start, and starts anew when it is resumed. */
function startTimeOf(
  { spec, status }: JobSituation['job'],
  outcome: JobOutcome | undefined,
  now: string,
): string | undefined {
  if (spec?.suspend === true) return outcome === undefined ? undefined : status?.startTime;
  return wasSuspended(status) && outcome === undefined ? now : (status?.startTime ?? now);
}

const wasSuspended = (status: JobStatus | undefined): boolean =>
  status?.conditions?.some((each) => each.type === 'Suspended' && each.status === 'True') === true;

/** The reasons of decisions of the policies of a job. */
const policies: ReadonlySet<string> = new Set(['PodFailurePolicy', 'SuccessPolicy']);

function conditionsOf(
  { job, keys, nowMs }: JobSituation,
  outcome: JobOutcome | undefined,
  isOver: boolean,
): JobCondition[] {
  const now = formatTime(nowMs);
  const set = (
    all: JobCondition[] | undefined,
    type: string,
    status: string,
    why: { reason: string; message: string },
  ) =>
    withCondition<JobCondition>(all, { type, status, ...why, lastProbeTime: now, lastTransitionTime: now });
  const all = job.status?.conditions;
  if (outcome !== undefined) {
    const { type, reason, message } = outcome;
    const isFailed = type === 'Failed';
    // A job that does not wait for its pods records only the decisions of policies.
    const isRecorded = keys.waitsForPods || policies.has(reason);
    const target = isRecorded
      ? set(all, isFailed ? 'FailureTarget' : 'SuccessCriteriaMet', 'True', { reason, message })
      : [...(all ?? [])];
    const why = isFailed || isRecorded ? { reason, message } : { reason: '', message: '' };
    return isOver ? set(target, type, 'True', why) : target;
  }
  if (job.spec?.suspend === true)
    return set(all, 'Suspended', 'True', { reason: 'JobSuspended', message: 'Job suspended' });
  return wasSuspended(job.status)
    ? set(all, 'Suspended', 'False', { reason: 'JobResumed', message: 'Job resumed' })
    : [...(all ?? [])];
}
