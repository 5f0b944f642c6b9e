import type { kinds, Stored } from '@orch/client';
import type { EndedPods } from './backoff.ts';
import { type FailureVerdict, verdictOf } from './failure-policy.ts';
import { completedOf, failedOf } from './indexed-pods.ts';
import { hasFailed, hasFinalizer, hasSucceeded, indexOf, isIndexed, type JobState } from './job-state.ts';

type Pod = Stored<kinds.core.Pod>;

/** Pods that one write of the status counts at most. */
export const MAX_UNCOUNTED = 500;

/**
 * The ended pods of a job. Each is counted once: its uid is written into the status first, its finalizer is removed then, and the number
 * grows when the finalizer is gone.
 */
export interface Account {
  /** Counted pods. */
  readonly succeeded: number;
  readonly failed: number;
  /** All pods that have ended, counted or not. */
  readonly successes: number;
  readonly failures: number;
  /** Uids of pods that have ended and whose finalizers are not removed yet. */
  readonly uncountedSucceeded: readonly string[];
  readonly uncountedFailed: readonly string[];
  /** Of an indexed job. */
  readonly completedIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** The first failure after which the job must not go on. */
  readonly fatal: FailureVerdict | undefined;
}

/** The ended pods that the account of a job does not have yet. */
export function endedPods({ job, pods, keys }: JobState): EndedPods {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const known = new Set([...succeeded, ...failed]);
  const fresh = pods.filter(
    (pod) =>
      (!keys.isTracked || hasFinalizer(pod, keys)) &&
      !known.has(pod.metadata.uid) &&
      (!isIndexed(job) || indexOf(pod, job, keys) !== undefined),
  );
  return { succeeded: fresh.filter(hasSucceeded), failed: fresh.filter((pod) => hasFailed(pod, job)) };
}

const uidOf = ({ metadata }: Pod): string => metadata.uid;

/** Brings the account of a job up to date. Failed pods that are `held` are not counted yet. */
export function accountOf(state: JobState, held: ReadonlySet<string>): Account {
  const { job, pods, keys } = state;
  const ended = endedPods(state);
  const failures = ended.failed.filter(
    (pod) => verdictOf(pod, job.spec?.podFailurePolicy).action !== 'Ignore',
  );
  const completedIndexes = completedOf(state);
  const all = {
    completedIndexes,
    failedIndexes: failedOf(state, completedIndexes),
    fatal: fatalOf(state),
  };
  if (!keys.isTracked) {
    const successes = isIndexed(job) ? completedIndexes.size : ended.succeeded.length;
    const counts = { succeeded: successes, failed: failures.length, successes, failures: failures.length };
    return { ...counts, uncountedSucceeded: [], uncountedFailed: [], ...all };
  }
  const old = job.status?.uncountedTerminatedPods ?? {};
  const oldSucceeded = old.succeeded ?? [];
  const oldFailed = old.failed ?? [];
  const tracked = new Set(pods.filter((pod) => hasFinalizer(pod, keys)).map(uidOf));
  const waiting = (uids: readonly string[]): readonly string[] => uids.filter((uid) => tracked.has(uid));
  const [succeededBefore, failedBefore] = [waiting(oldSucceeded), waiting(oldFailed)];
  const room = Math.max(0, MAX_UNCOUNTED - succeededBefore.length - failedBefore.length);
  const succeeded = isIndexed(job) ? [] : ended.succeeded.map(uidOf);
  const newSucceeded = succeeded.slice(0, room);
  const newFailed = failures
    .map(uidOf)
    .filter((uid) => !held.has(uid))
    .slice(0, room - newSucceeded.length);
  const status = job.status ?? {};
  const counted = (status.succeeded ?? 0) + oldSucceeded.length;
  return {
    succeeded: isIndexed(job) ? completedIndexes.size : counted - succeededBefore.length,
    failed: (status.failed ?? 0) + oldFailed.length - failedBefore.length,
    successes: isIndexed(job) ? completedIndexes.size : counted + succeeded.length,
    failures: (status.failed ?? 0) + oldFailed.length + failures.length,
    uncountedSucceeded: [...succeededBefore, ...newSucceeded],
    uncountedFailed: [...failedBefore, ...newFailed],
    ...all,
  };
}

/** The first failure after which the job must not go on. */
function fatalOf({ job, pods }: JobState): FailureVerdict | undefined {
  const policy = job.spec?.podFailurePolicy;
  if (policy === undefined) return undefined;
  for (const pod of pods) {
    const verdict = hasFailed(pod, job) ? verdictOf(pod, policy) : undefined;
    if (verdict?.action === 'FailJob') return verdict;
  }
  return undefined;
}

/** The account of a job that has failed: these pods, which still run, are stopped, and count as failures. */
export function withStopped(account: Account, { job, keys }: JobState, running: readonly Pod[]): Account {
  const known = new Set(account.uncountedFailed);
  const stopped = running.filter(
    (pod) =>
      hasFinalizer(pod, keys) &&
      !known.has(pod.metadata.uid) &&
      (!isIndexed(job) || indexOf(pod, job, keys) !== undefined) &&
      verdictOf(pod, job.spec?.podFailurePolicy).action !== 'Ignore',
  );
  const uids = stopped.map(uidOf);
  return { ...account, uncountedFailed: [...account.uncountedFailed, ...uids] };
}
