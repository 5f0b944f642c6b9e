import { formatTime } from '@orch/machinery/time';
import type { Condition } from '../types/meta.ts';

/** A condition as a controller sets it. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * Returns the conditions with one of them set, for a patch of the subresource `status`. The condition replaces the one of its type.
 * Its `lastTransitionTime` becomes `nowMs` if its `status` changes, and stays otherwise. Returns undefined if nothing changes, so that
 * a controller at rest writes nothing.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  set: NewCondition,
  nowMs: number,
): Condition[] | undefined {
  const before = conditions?.find(({ type }) => type === set.type);
  const isSame =
    before?.status === set.status &&
    before.reason === set.reason &&
    before.message === set.message &&
    before.observedGeneration === set.observedGeneration;
  if (isSame) return undefined;
  const lastTransitionTime = before?.status === set.status ? before.lastTransitionTime : formatTime(nowMs);
  const others = (conditions ?? []).filter(({ type }) => type !== set.type);
  return [...others, { ...set, lastTransitionTime }];
}
