import type {
  EvictionV1alpha1 as Eviction,
  EvictionStatusV1alpha1 as EvictionStatus,
} from '@orch/kinds/lifecycle';
import { type FieldError, fieldError } from '@orch/machinery';
import type { StrategyContext } from '../../../resource-type.ts';
import { validateProgress } from './progress.ts';
import { type Outcome, validateTurns } from './turns.ts';

const results = ['TargetEvicted', 'Failed'] as const;

const conditionIn = (status: EvictionStatus, wanted: string) =>
  status.conditions?.find(({ type }) => type === wanted);
const isTrue = (status: EvictionStatus, wanted: string): boolean =>
  conditionIn(status, wanted)?.status === 'True';

/** A result, once it is there, remains with its reason. */
function validateResults(next: EvictionStatus, old: EvictionStatus): readonly FieldError[] {
  return results.flatMap((result) => {
    const [condition, before] = [conditionIn(next, result), conditionIn(old, result)];
    if (before?.status !== 'True') return [];
    const remains =
      condition !== undefined && condition.status !== 'False' && condition.reason === before.reason;
    return remains
      ? []
      : [fieldError.invalid('status.conditions', result, `${result} condition status cannot be reverted`)];
  });
}

/**
 * Several programs write the status of an eviction. The rules keep each of them to its part: responders act one after the
 * other, by priority, and only the active one reports progress.
 */
export function validateEvictionStatus(
  next: Eviction,
  old: Eviction,
  { names, now }: StrategyContext,
): readonly FieldError[] {
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const outcome: Outcome = {
    isFinal: results.some((result) => isTrue(status, result) || isTrue(before, result)),
    nowMs: Date.parse(now),
    names,
  };
  return [
    ...validateResults(status, before),
    ...validateTurns(status, before, outcome),
    ...validateProgress(status, before, outcome.nowMs),
  ];
}
