import { isBeingDeleted, type kinds, type Stored } from '@orch/client';
import { formatTime, timeMs } from '@orch/machinery/time';
import { withCondition } from '../api/conditions.ts';
import { hasEnded, isReady } from '../pods/pod-state.ts';
import { inRemovalOrder } from '../pods/removal-order.ts';
import {
  type Account,
  accountOf,
  completionsOf,
  failuresByIndex,
  hasFailed,
  hasFinalizer,
  indexOf,
  isIndexed,
  type JobState,
  withStopped,
} from './account.ts';
import { formatIndexes } from './indexes.ts';
import { isFinished, type JobOutcome, outcomeOf, untilDeadlineMs } from './outcome.ts';

type Pod = Stored<kinds.core.Pod>;
type JobStatus = kinds.batch.JobStatus;
type JobCondition = kinds.batch.JobCondition;

/** Pods that one reconciliation creates at most. */
const BURST = 500;
const MAX_BACKOFF_MS = 600_000;

export interface JobSituation extends JobState {
  /** Whether a pod is being deleted, as far as the controller knows. */
  isEnding(pod: Pod): boolean;
  readonly costAnnotation: string;
  /** Delay after the first failure; each further one doubles it. */
  readonly backoffMs: number;
  readonly nowMs: number;
}

/** A pod to create. */
export interface PodSlot {
  /** Its number in an indexed job. */
  readonly index?: number;
  /** The failures of its index so far, in a job that bounds them. */
  readonly failures?: number;
}

export interface JobDecision {
  readonly create: readonly PodSlot[];
  /** Pods to delete; they are not counted as failures. */
  readonly remove: readonly Pod[];
  /** Pods whose finalizer can be removed once the status is written. */
  readonly release: readonly Pod[];
  readonly status: JobStatus;
  readonly recheckMs?: number;
}

/** Decides about a job by its pods. The status must be written before finalizers are removed. */
export function decideJob(situation: JobSituation): JobDecision {
  const { job, pods, keys, nowMs } = situation;
  const status = job.status ?? {};
  if (isFinished(job))
    return { create: [], remove: [], release: pods.filter((pod) => hasFinalizer(pod, keys)), status };
  const counted = accountOf(situation);
  const running = pods.filter((pod) => !hasEnded(pod));
  const active = running.filter((pod) => !situation.isEnding(pod));
  const outcome = outcomeOf(job, { account: counted, active, nowMs });
  const account =
    outcome?.type === 'Failed' && keys.isTracked ? withStopped(counted, situation, active) : counted;
  const isStopped = outcome !== undefined || job.spec?.suspend === true;
  const plan = isStopped
    ? { create: [], remove: active }
    : replicasPlan(situation, account, { running, active });
  const isOver = outcome !== undefined && running.length === 0 && isSettled(account);
  return {
    create: isBeingDeleted(job) ? [] : plan.create.map((index) => slotOf(situation, index)),
    remove: plan.remove,
    release: pods.filter((pod) => isCounted(pod, situation, account) && !plan.remove.includes(pod)),
    status: statusOf(situation, { account, running, active }, { outcome, isOver }),
    ...recheck(situation, plan.waitMs),
  };
}

function slotOf(situation: JobSituation, index: number | undefined): PodSlot {
  if (index === undefined) return {};
  if (situation.job.spec?.backoffLimitPerIndex === undefined) return { index };
  return { index, failures: failuresByIndex(situation).get(index)?.count ?? 0 };
}

interface Plan {
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  readonly waitMs?: number;
}

interface PodsOfJob {
  /** Pods that have not ended. */
  readonly running: readonly Pod[];
  /** Those of them that are not being deleted. */
  readonly active: readonly Pod[];
}

const isSettled = ({ uncountedSucceeded, uncountedFailed }: Account): boolean =>
  uncountedSucceeded.length + uncountedFailed.length === 0;

/** Reports whether a pod is in the account, so that it can be released. Ignored failures are released as well. */
function isCounted(pod: Pod, { job, keys }: JobState, account: Account): boolean {
  if (!hasFinalizer(pod, keys)) return false;
  const { uid } = pod.metadata;
  if (account.uncountedSucceeded.includes(uid) || account.uncountedFailed.includes(uid)) return true;
  return (
    (isIndexed(job) && pod.status?.phase === 'Succeeded') ||
    (hasFailed(pod, job) && job.spec?.podFailurePolicy !== undefined)
  );
}

/** Pods to create or delete while the job goes on. */
function replicasPlan(situation: JobSituation, account: Account, { running, active }: PodsOfJob): Plan {
  const { job, costAnnotation, nowMs, backoffMs, pods } = situation;
  const occupied = job.spec?.podReplacementPolicy === 'Failed' ? running : active;
  const wanted = wantedPods(situation, account, active.length);
  if (active.length > wanted)
    return { create: [], remove: inRemovalOrder(active, costAnnotation).slice(0, active.length - wanted) };
  const missing = Math.min(BURST, wanted - occupied.length);
  if (missing <= 0) return { create: [], remove: [] };
  if (job.spec?.backoffLimitPerIndex !== undefined)
    return indexPlan(situation, freeIndexes(situation, account, occupied), missing);
  const waitMs = backoffOf(pods, backoffMs) - nowMs;
  if (waitMs > 0) return { create: [], remove: [], waitMs };
  if (!isIndexed(job)) return { create: Array.from({ length: missing }, () => undefined), remove: [] };
  return { create: freeIndexes(situation, account, occupied).slice(0, missing), remove: [] };
}

/** Each index waits for itself after its failures. */
function indexPlan(situation: JobSituation, free: readonly number[], most: number): Plan {
  const { nowMs, backoffMs } = situation;
  const failures = failuresByIndex(situation);
  const waits = free.map((index) => {
    const { pods = [], count = 0 } = failures.get(index) ?? {};
    return { index, waitMs: backoffOf(pods, backoffMs, count) - nowMs };
  });
  const ready = waits.filter(({ waitMs }) => waitMs <= 0).map(({ index }) => index);
  const create = ready.slice(0, most);
  const later = waits.filter(({ waitMs }) => waitMs > 0).map(({ waitMs }) => waitMs);
  if (create.length === most || later.length === 0) return { create, remove: [] };
  return { create, remove: [], waitMs: Math.min(...later) };
}

function wantedPods({ job }: JobState, account: Account, active: number): number {
  const parallelism = job.spec?.parallelism ?? 1;
  const completions = completionsOf(job);
  const succeeded = account.succeeded + account.uncountedSucceeded.length;
  if (completions === undefined) return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(0, completions - succeeded - account.failedIndexes.size));
}

function freeIndexes(
  { job, keys }: JobState,
  { completedIndexes, failedIndexes }: Account,
  occupied: readonly Pod[],
): readonly number[] {
  const taken = new Set(occupied.map((pod) => indexOf(pod, job, keys)));
  const all = Array.from({ length: completionsOf(job) ?? 0 }, (_, index) => index);
  return all.filter(
    (index) => !completedIndexes.has(index) && !failedIndexes.has(index) && !taken.has(index),
  );
}

const endedAtMs = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce(
    (latest, { state }) => Math.max(latest, timeMs(state?.terminated?.finishedAt ?? '') ?? 0),
    0,
  );

/** When the next pod may start: later with every failure since the last success. */
function backoffOf(pods: readonly Pod[], backoffMs: number, least = 0): number {
  const lastSuccess = pods.reduce(
    (latest, pod) => (pod.status?.phase === 'Succeeded' ? Math.max(latest, endedAtMs(pod)) : latest),
    0,
  );
  const failures = pods
    .filter(({ status }) => status?.phase === 'Failed')
    .map(endedAtMs)
    .filter((at) => at > lastSuccess);
  if (failures.length === 0) return 0;
  const latest = failures.reduce((most, at) => Math.max(most, at), 0);
  return (
    latest + Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** Math.min(Math.max(failures.length, least) - 1, 20))
  );
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
  const isSuspended = job.spec?.suspend === true && outcome === undefined;
  const startTime = isSuspended ? undefined : (job.status?.startTime ?? now);
  const isRemoved = outcome !== undefined || isSuspended;
  return {
    conditions: conditionsOf(situation, outcome, isOver),
    ...(startTime !== undefined && { startTime }),
    ...(isOver && outcome?.type === 'Complete' && { completionTime: now }),
    active: isRemoved ? 0 : active.length,
    ready: isRemoved ? 0 : active.filter(isReady).length,
    terminating: running.length - (isRemoved ? 0 : active.length),
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

function conditionsOf(
  { job, nowMs }: JobSituation,
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
    const { reason, message } = outcome;
    const target = set(all, outcome.type === 'Failed' ? 'FailureTarget' : 'SuccessCriteriaMet', 'True', {
      reason,
      message,
    });
    return isOver ? set(target, outcome.type, 'True', { reason, message }) : target;
  }
  const wasSuspended = all?.some(({ type, status }) => type === 'Suspended' && status === 'True') === true;
  if (job.spec?.suspend === true)
    return set(all, 'Suspended', 'True', { reason: 'JobSuspended', message: 'Job suspended' });
  return wasSuspended
    ? set(all, 'Suspended', 'False', { reason: 'JobResumed', message: 'Job resumed' })
    : [...(all ?? [])];
}
