import { compareQuantities, type Quantity, quantitySign, subtractQuantities } from '@orch/machinery';
import { type Amounts, addTo, zeroAmount } from './amounts.ts';
import type { Measure } from './measure.ts';
import { isInScope, type ScopeCondition } from './scopes.ts';
import { takenAt } from './usage.ts';

/** An object before and after a write. */
export interface MeasuredWrite {
  readonly next: Measure;
  /** Undefined when the object is new. */
  readonly old: Measure | undefined;
}

/** By how much a write increases the usage of these bounds, of a quota with these conditions; without what does not grow. */
export function growthOf(
  { next, old }: MeasuredWrite,
  {
    bounds,
    conditions,
  }: { readonly bounds: ReadonlySet<string>; readonly conditions: readonly ScopeCondition[] },
  nowMs: number,
): Amounts {
  const usage = (measure: Measure | undefined): Amounts => {
    const sums = new Map<string, Quantity>();
    if (measure === undefined || !isInScope(measure.scopes, conditions)) return sums;
    for (const amounts of takenAt(measure, nowMs)) addTo(sums, amounts, bounds);
    return sums;
  };
  const before = usage(old);
  const growth = new Map<string, Quantity>();
  for (const [name, amount] of usage(next)) {
    const grown = subtractQuantities(amount, before.get(name) ?? zeroAmount);
    if (quantitySign(grown) > 0) growth.set(name, grown);
  }
  return growth;
}

/** The names of amounts that are greater than their bound, in order; amounts without a bound are not limited. */
export const exceeding = (amounts: Amounts, bounds: Amounts): readonly string[] =>
  [...amounts]
    .filter(([name, amount]) => {
      const bound = bounds.get(name);
      return bound !== undefined && compareQuantities(amount, bound) > 0;
    })
    .map(([name]) => name)
    .sort();
