import type { kinds } from '@orch/client';

type Condition = kinds.meta.Condition;

/** The outcome of a reconciliation for users. */
export type Outcome = Pick<Condition, 'status' | 'reason' | 'message'>;

/**
 * The conditions with another outcome of a type; undefined if nothing changes. The time of the transition is that of the last change of
 * `status`.
 */
export function conditionsWith(
  conditions: readonly Condition[],
  type: string,
  {
    outcome,
    generation,
    now,
  }: { readonly outcome: Outcome; readonly generation: number; readonly now: string },
): Condition[] | undefined {
  const before = conditions.find((one) => one.type === type);
  const lastTransitionTime = before?.status === outcome.status ? before.lastTransitionTime : now;
  const after = { type, ...outcome, observedGeneration: generation, lastTransitionTime };
  const isSame =
    before?.status === after.status &&
    before.reason === after.reason &&
    before.message === after.message &&
    before.observedGeneration === generation;
  return isSame ? undefined : [...conditions.filter((one) => one.type !== type), after];
}
