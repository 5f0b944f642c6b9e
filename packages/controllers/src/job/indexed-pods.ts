import type { kinds, Stored } from '@orch/client';
import { isActive } from '../pods/pod-state.ts';
import { finishedMs } from './backoff.ts';
import { verdictOf } from './failure-policy.ts';
import { parseIndexes } from './indexes.ts';
import {
  completionsOf,
  hasFailed,
  hasFinalizer,
  hasSucceeded,
  indexOf,
  isIndexed,
  type JobKeys,
  type JobState,
} from './job-state.ts';

type Pod = Stored<kinds.core.Pod>;

/** The failures of an index. */
export interface IndexFailures {
  readonly counted: number;
  /** Failures that the policy of the job ignores. */
  readonly ignored: number;
  readonly lastFailureMs: number;
}

const numberOf = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0);

/** The failures of indexes. A pod names those before it, so that they count after their pods are gone. */
export function failuresByIndex({ job, pods, keys }: JobState): ReadonlyMap<number, IndexFailures> {
  const all = new Map<number, FailedPod[]>();
  for (const pod of pods) {
    const index = hasFailed(pod, job) ? indexOf(pod, job, keys) : undefined;
    if (index === undefined) continue;
    const known = all.get(index) ?? [];
    known.push({ pod, isIgnored: verdictOf(pod, job.spec?.podFailurePolicy).action === 'Ignore' });
    all.set(index, known);
  }
  return new Map([...all].map(([index, failed]) => [index, failuresOf(failed, keys)]));
}

interface FailedPod {
  readonly pod: Pod;
  readonly isIgnored: boolean;
}

function failuresOf(failed: readonly FailedPod[], keys: JobKeys): IndexFailures {
  const most = (key: string, adds: (one: FailedPod) => boolean): number => {
    const known = failed.map((one) => numberOf(one.pod.metadata.annotations?.[key]) + (adds(one) ? 1 : 0));
    return known.reduce((a, b) => Math.max(a, b), failed.filter(adds).length);
  };
  return {
    counted: most(keys.failures, ({ isIgnored }) => !isIgnored),
    ignored: most(keys.ignored, ({ isIgnored }) => isIgnored),
    lastFailureMs: failed.reduce((latest, { pod }) => Math.max(latest, finishedMs(pod)), 0),
  };
}

/** Indexes that are done: earlier ones, and those whose pods have succeeded since. */
export function completedOf({ job, pods, keys }: JobState): Set<number> {
  const count = completionsOf(job) ?? 0;
  const completed = parseIndexes(job.status?.completedIndexes, count);
  if (!isIndexed(job)) return completed;
  // A pod that was stopped is a failure, also if it has succeeded meanwhile.
  const stopped = new Set(job.status?.uncountedTerminatedPods?.failed);
  for (const pod of pods.filter(hasSucceeded)) {
    const isCounted = keys.isTracked && (!hasFinalizer(pod, keys) || stopped.has(pod.metadata.uid));
    const index = isCounted ? undefined : indexOf(pod, job, keys);
    if (index !== undefined) completed.add(index);
  }
  return completed;
}

/** Indexes of which more pods have failed than the job permits for one, or whose failure ends them. */
export function failedOf(state: JobState, completed: ReadonlySet<number>): Set<number> {
  const { job, pods, keys } = state;
  const limit = job.spec?.backoffLimitPerIndex;
  const failed = parseIndexes(job.status?.failedIndexes, completionsOf(job) ?? 0);
  if (limit === undefined || !isIndexed(job)) return failed;
  for (const [index, { counted }] of failuresByIndex(state))
    if (counted > limit && !completed.has(index)) failed.add(index);
  for (const pod of pods) {
    const index = hasFailed(pod, job) ? indexOf(pod, job, keys) : undefined;
    if (index === undefined || completed.has(index)) continue;
    if (verdictOf(pod, job.spec?.podFailurePolicy).action === 'FailIndex') failed.add(index);
  }
  return failed;
}

/**
 * The uids of failed pods that are not counted, and keep their finalizers, until another pod of their index exists that names their
 * failures.
 */
export function heldPods(state: JobState): ReadonlySet<string> {
  const { job, pods, keys } = state;
  if (job.spec?.backoffLimitPerIndex === undefined || !isIndexed(job) || !keys.isTracked) return new Set();
  const completed = completedOf(state);
  const settled = new Set([...completed, ...failedOf(state, completed)]);
  for (const pod of pods.filter(isActive)) settled.add(indexOf(pod, job, keys) ?? -1);
  const held = new Map<number, Pod>();
  for (const pod of pods) {
    const index = hasFinalizer(pod, keys) && hasFailed(pod, job) ? indexOf(pod, job, keys) : undefined;
    if (index === undefined || settled.has(index)) continue;
    const other = held.get(index);
    if (other === undefined || isLater(pod, other, state)) held.set(index, pod);
  }
  return new Set([...held.values()].map(({ metadata }) => metadata.uid));
}

function isLater(pod: Pod, other: Pod, { keys }: JobState): boolean {
  const before = ({ metadata: { annotations = {} } }: Pod): number =>
    numberOf(annotations[keys.failures]) + numberOf(annotations[keys.ignored]);
  return before(pod) >= before(other) && finishedMs(pod) >= finishedMs(other);
}

/** The pods of an indexed job that have no index which it uses, and all but the best of each index. `ordered` begins with the worst. */
export function surplusPods(ordered: readonly Pod[], { job, keys }: JobState): readonly Pod[] {
  if (!isIndexed(job)) return [];
  const seen = new Set<number>();
  return ordered.toReversed().filter((pod) => {
    const index = indexOf(pod, job, keys);
    if (index === undefined || seen.has(index)) return true;
    seen.add(index);
    return false;
  });
}

/** The first indexes, in their order, that are not settled and have no pod. */
export function freeIndexes(
  { job, keys }: JobState,
  settled: readonly ReadonlySet<number>[],
  occupied: readonly Pod[],
  most: number,
): readonly number[] {
  const taken = new Set(occupied.map((pod) => indexOf(pod, job, keys)));
  const free: number[] = [];
  const count = completionsOf(job) ?? 0;
  for (let index = 0; index < count && free.length < most; index++)
    if (!taken.has(index) && !settled.some((each) => each.has(index))) free.push(index);
  return free;
}
