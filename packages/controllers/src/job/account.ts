import type { kinds, Stored } from '@orch/client';
import { isBeingDeleted } from '@orch/client';
import { type FailureVerdict, verdictOf } from './failure-policy.ts';
import { parseIndexes } from './indexes.ts';

type Job = Stored<kinds.batch.Job>;
type Pod = Stored<kinds.core.Pod>;

/** Pods that one write of the status counts at most. */
const MAX_UNCOUNTED = 500;

export interface JobKeys {
  /** The finalizer of pods that are not counted yet. */
  readonly tracking: string;
  /** Whether the release has it. Without it, the existing pods are counted each time. */
  readonly isTracked: boolean;
  /** The annotation with the number of a pod. */
  readonly index: string;
  /** The annotation with the number of failures of an index before this pod. */
  readonly failures: string;
  /** Whether pods have a label with their number, too. */
  readonly hasIndexLabel: boolean;
}

export interface JobState {
  readonly job: Job;
  /** The pods that it controls. */
  readonly pods: readonly Pod[];
  readonly keys: JobKeys;
}

/**
 * The ended pods of a job. Each is counted once: its uid is written into the status first, its finalizer is removed then, and the number
 * grows when the finalizer is gone.
 */
export interface Account {
  /** Counted pods. */
  readonly succeeded: number;
  readonly failed: number;
  /** Uids of pods that have ended and whose finalizers are not removed yet. */
  readonly uncountedSucceeded: readonly string[];
  readonly uncountedFailed: readonly string[];
  /** Of an indexed job. */
  readonly completedIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** The first failure after which the job must not go on. */
  readonly fatal: FailureVerdict | undefined;
}

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';
export const completionsOf = ({ spec }: Job): number | undefined => spec?.completions ?? undefined;
export const hasFinalizer = ({ metadata }: Pod, { tracking }: JobKeys): boolean =>
  metadata.finalizers?.includes(tracking) === true;

/** The number of a pod of an indexed job; undefined when it has none that the job uses. */
export function indexOf({ metadata }: Pod, job: Job, { index }: JobKeys): number | undefined {
  const text = metadata.annotations?.[index] ?? '';
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number < (completionsOf(job) ?? 0) ? number : undefined;
}

/** A pod that is being deleted may never report its end, so it has failed, unless the job waits for the report. */
export const hasFailed = (pod: Pod, { spec }: Job): boolean =>
  pod.status?.phase === 'Failed' ||
  (spec?.podReplacementPolicy !== 'Failed' && isBeingDeleted(pod) && pod.status?.phase !== 'Succeeded');

const hasSucceeded = ({ status }: Pod): boolean => status?.phase === 'Succeeded';

/** Brings the account of a job up to date. */
export function accountOf(state: JobState): Account {
  const { job, pods, keys } = state;
  if (!keys.isTracked) return untrackedAccount(state);
  const old = job.status?.uncountedTerminatedPods ?? {};
  const tracked = new Set(pods.filter((pod) => hasFinalizer(pod, keys)).map(({ metadata }) => metadata.uid));
  const oldSucceeded = old.succeeded ?? [];
  const oldFailed = old.failed ?? [];
  const known = new Set([...oldSucceeded, ...oldFailed]);
  const ended = pods
    .filter(({ metadata }) => tracked.has(metadata.uid) && !known.has(metadata.uid))
    .slice(0, MAX_UNCOUNTED);
  const succeeded = isIndexed(job) ? [] : ended.filter(hasSucceeded);
  const failures = ended
    .filter((pod) => hasFailed(pod, job))
    .map((pod) => ({ pod, verdict: verdictOf(pod, job.spec?.podFailurePolicy) }));
  const failed = failures.filter(({ verdict }) => verdict.action !== 'Ignore');
  const completedIndexes = completedOf(state);
  const isGone = (uid: string): boolean => !tracked.has(uid);
  const wait = (uid: string): boolean => tracked.has(uid);
  return {
    succeeded: isIndexed(job)
      ? completedIndexes.size
      : (job.status?.succeeded ?? 0) + oldSucceeded.filter(isGone).length,
    failed: (job.status?.failed ?? 0) + oldFailed.filter(isGone).length,
    uncountedSucceeded: [...oldSucceeded.filter(wait), ...succeeded.map(({ metadata }) => metadata.uid)],
    uncountedFailed: [...oldFailed.filter(wait), ...failed.map(({ pod }) => pod.metadata.uid)],
    completedIndexes,
    failedIndexes: failedOf(state, completedIndexes),
    fatal: failures.find(({ verdict }) => verdict.action === 'FailJob')?.verdict,
  };
}

/** The account of the pods that exist, of which a deleted one is forgotten. */
function untrackedAccount(state: JobState): Account {
  const { job, pods } = state;
  const completedIndexes = completedOf(state);
  const failures = pods
    .filter((pod) => hasFailed(pod, job))
    .map((pod) => verdictOf(pod, job.spec?.podFailurePolicy));
  return {
    succeeded: isIndexed(job) ? completedIndexes.size : pods.filter(hasSucceeded).length,
    failed: failures.filter(({ action }) => action !== 'Ignore').length,
    uncountedSucceeded: [],
    uncountedFailed: [],
    completedIndexes,
    failedIndexes: failedOf(state, completedIndexes),
    fatal: failures.find(({ action }) => action === 'FailJob'),
  };
}

function completedOf({ job, pods, keys }: JobState): Set<number> {
  const count = completionsOf(job) ?? 0;
  const completed = parseIndexes(job.status?.completedIndexes, count);
  if (!isIndexed(job)) return completed;
  for (const pod of pods.filter(hasSucceeded)) {
    const index = indexOf(pod, job, keys);
    if (index !== undefined) completed.add(index);
  }
  return completed;
}

/** Indexes of which more pods have failed than the job permits for one, or whose failure ends them. */
function failedOf(state: JobState, completed: ReadonlySet<number>): Set<number> {
  const { job } = state;
  const limit = job.spec?.backoffLimitPerIndex;
  const failed = parseIndexes(job.status?.failedIndexes, completionsOf(job) ?? 0);
  if (limit === undefined || !isIndexed(job)) return failed;
  for (const [index, { count, isFinal }] of failuresByIndex(state))
    if ((isFinal || count > limit) && !completed.has(index)) failed.add(index);
  return failed;
}

/** The failures of an index. */
export interface IndexFailures {
  readonly count: number;
  /** Whether the policy of the job permits no other pod. */
  readonly isFinal: boolean;
  /** The pods that have failed. */
  readonly pods: readonly Pod[];
}

/** The failures of indexes. A pod names those before it, so that they count after their pods are gone. */
export function failuresByIndex({ job, pods, keys }: JobState): ReadonlyMap<number, IndexFailures> {
  const all = new Map<number, IndexFailures>();
  for (const pod of pods) {
    const index = hasFailed(pod, job) ? indexOf(pod, job, keys) : undefined;
    if (index === undefined) continue;
    const { action } = verdictOf(pod, job.spec?.podFailurePolicy);
    const before = all.get(index) ?? { count: 0, isFinal: false, pods: [] };
    const own = action === 'Ignore' ? 0 : 1;
    const known = Number(pod.metadata.annotations?.[keys.failures] ?? 0) || 0;
    all.set(index, {
      count: Math.max(before.count + own, known + own),
      isFinal: before.isFinal || action === 'FailIndex',
      pods: [...before.pods, pod],
    });
  }
  return all;
}

/** The account of a job that has failed: pods that still run are stopped, and count as failures. */
export function withStopped(account: Account, { job, keys }: JobState, running: readonly Pod[]): Account {
  const known = new Set(account.uncountedFailed);
  const stopped = running.filter(
    (pod) =>
      hasFinalizer(pod, keys) &&
      !known.has(pod.metadata.uid) &&
      (!isIndexed(job) || indexOf(pod, job, keys) !== undefined) &&
      verdictOf(pod, job.spec?.podFailurePolicy).action !== 'Ignore',
  );
  const uids = stopped.slice(0, MAX_UNCOUNTED).map(({ metadata }) => metadata.uid);
  return { ...account, uncountedFailed: [...account.uncountedFailed, ...uids] };
}
