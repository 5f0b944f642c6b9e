import { formatTime } from '@orch/machinery/time';
import type { Condition } from '../types/meta.ts';

/** A condition as a controller sets it. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions of a status with one that is set, for a patch of the subresource `status`: it replaces the one of its type, and
 * `lastTransitionTime` is the time of the last change of its `status`, which is `nowMs` if it changes. Undefined if the conditions have it
 * already, so that a controller at rest writes nothing.
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
