import type { kinds, Stored } from '@orch/client';
import { type Limits, replicasOf, totalOf } from './replica-counts.ts';

type ReplicaSet = Stored<kinds.apps.ReplicaSet>;

/** The wanted number of pods of each set that changes. */
export type Sizes = ReadonlyMap<ReplicaSet, number>;

const none: Sizes = new Map();
/** A set that was just scaled down has an outdated status: at most as many pods stay available as its size. */
const availableOf = (set: ReplicaSet): number =>
  Math.min(set.status?.availableReplicas ?? 0, replicasOf(set));

/** The number of pods of the new set that the limits permit now. */
export function newSetSize(
  replicas: number,
  { current, all }: { readonly current: number; readonly all: readonly ReplicaSet[] },
  { maxSurge }: Limits,
): number {
  if (current >= replicas) return replicas;
  const room = Math.max(0, replicas + maxSurge - totalOf(all));
  return current + Math.min(room, replicas - current);
}

/**
 * The next step of a rollout: more pods of the new set, or fewer of the old ones, never both. Old pods that are not available go first;
 * others go as far as enough pods remain available.
 */
export function rollingSizes(
  replicas: number,
  { next, old }: { readonly next: ReplicaSet; readonly old: readonly ReplicaSet[] },
  limits: Limits,
): Sizes {
  const all = [...old, next];
  const size = newSetSize(replicas, { current: replicasOf(next), all }, limits);
  if (size !== replicasOf(next)) return new Map([[next, size]]);
  const minAvailable = replicas - limits.maxUnavailable;
  const unavailableNew = replicasOf(next) - availableOf(next);
  const removable = totalOf(all) - minAvailable - unavailableNew;
  if (totalOf(old) === 0 || removable <= 0) return none;
  const cleaned = withoutUnavailable(old, removable);
  const available = all.reduce((sum, set) => sum + availableOf(set), 0);
  return withoutAvailable(old, cleaned, available - minAvailable);
}

/** Removes pods that are not available, at most this many. */
function withoutUnavailable(old: readonly ReplicaSet[], most: number): Map<ReplicaSet, number> {
  const sizes = new Map<ReplicaSet, number>();
  let left = most;
  for (const set of old) {
    const unavailable = Math.max(0, Math.min(left, replicasOf(set) - availableOf(set)));
    if (unavailable === 0) continue;
    sizes.set(set, replicasOf(set) - unavailable);
    left -= unavailable;
  }
  return sizes;
}

/** Removes further pods, at most this many. */
function withoutAvailable(
  old: readonly ReplicaSet[],
  cleaned: ReadonlyMap<ReplicaSet, number>,
  most: number,
): Sizes {
  const sizes = new Map(cleaned);
  let left = most;
  for (const set of old) {
    if (left <= 0) break;
    const size = sizes.get(set) ?? replicasOf(set);
    const removed = Math.min(size, left);
    if (removed === 0) continue;
    sizes.set(set, size - removed);
    left -= removed;
  }
  return sizes;
}
