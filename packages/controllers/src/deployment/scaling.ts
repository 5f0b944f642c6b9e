import type { kinds, Stored } from '@orch/client';
import { type Limits, replicasOf, totalOf } from './replica-counts.ts';
import type { Sizes } from './rolling-update.ts';

type ReplicaSet = Stored<kinds.apps.ReplicaSet>;

/** The sets of a Deployment whose number of replicas has changed. */
export interface Scaled {
  readonly replicas: number;
  readonly isRolling: boolean;
  readonly limits: Limits;
  readonly next: ReplicaSet | undefined;
  /** Oldest first. */
  readonly old: readonly ReplicaSet[];
  /** The largest number of pods that the Deployment permitted when the set was last scaled. */
  formerMaximum(set: ReplicaSet): number;
}

/**
 * The sizes of the sets after the number of replicas has changed while none is rolled out, or in the middle of a rollout: then every
 * set keeps its share.
 */
export function scaledSizes(scaled: Scaled): Sizes {
  const { replicas, next, old, isRolling } = scaled;
  const all = next === undefined ? old : [...old, next];
  const active = all.filter((set) => replicasOf(set) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? next ?? old.at(-1);
    return only === undefined || replicasOf(only) === replicas ? new Map() : new Map([[only, replicas]]);
  }
  const isSaturated =
    next !== undefined && replicasOf(next) === replicas && next.status?.availableReplicas === replicas;
  if (isSaturated) return new Map(active.filter((set) => set !== next).map((set) => [set, 0]));
  return isRolling ? proportionalSizes(scaled, active) : new Map();
}

function proportionalSizes(
  { replicas, limits, formerMaximum }: Scaled,
  active: readonly ReplicaSet[],
): Sizes {
  const maximum = replicas > 0 ? replicas + limits.maxSurge : 0;
  const toAdd = maximum - totalOf(active);
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  const ordered = bySize(active, toAdd > 0);
  for (const set of ordered) {
    const share = shareOf(set, { maximum, former: formerMaximum(set), left: toAdd - added });
    sizes.set(set, replicasOf(set) + share);
    added += share;
  }
  const [first] = ordered;
  if (first !== undefined) sizes.set(first, Math.max(0, (sizes.get(first) ?? 0) + toAdd - added));
  return sizes;
}

/** How much a set grows or shrinks, so that its share of the maximum stays the same. */
function shareOf(
  set: ReplicaSet,
  { maximum, former, left }: { readonly maximum: number; readonly former: number; readonly left: number },
): number {
  const size = replicasOf(set);
  if (left === 0) return 0;
  const share = maximum === 0 || former === 0 ? -size : Math.round((size * maximum) / former) - size;
  return left > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
}

/** The largest sets first; of equal ones, the newer first when pods are added, the older first when pods are removed. */
function bySize(oldestFirst: readonly ReplicaSet[], isNewerFirst: boolean): readonly ReplicaSet[] {
  const ordered = isNewerFirst ? [...oldestFirst].reverse() : [...oldestFirst];
  return ordered.sort((a, b) => replicasOf(b) - replicasOf(a));
}
