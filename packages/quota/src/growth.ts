import { compareQuantities, type Quantity, quantitySign, subtractQuantities } from '@orch/machinery/quantity';
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

/** The counted unit. */
export interface Counted {
  /** Names of amounts; all of them when absent. */
  readonly bounds?: ReadonlySet<string>;
  readonly conditions: readonly ScopeCondition[];
}

/** The amounts by which a write increases usage; those that do not grow are omitted. */
export function growthOf(
  { next, old }: MeasuredWrite,
  { bounds, conditions }: Counted,
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

/** The sum of two sets of amounts. */
export function sumOf(a: Amounts, b: Amounts): Amounts {
  const sums = new Map(a);
  addTo(sums, b);
  return sums;
}

/** Amounts minus other amounts, at least zero. */
export function remainderOf(amounts: Amounts, less: Amounts): Amounts {
  const remainder = new Map(amounts);
  for (const [name, amount] of less) {
    const before = remainder.get(name);
    if (before === undefined) continue;
    const rest = subtractQuantities(before, amount);
    remainder.set(name, quantitySign(rest) < 0 ? zeroAmount : rest);
  }
  return remainder;
}

/** The names of amounts that exceed their bound, sorted; amounts without a bound are not limited. */
export const exceeding = (amounts: Amounts, bounds: Amounts): readonly string[] =>
  [...amounts]
    .filter(([name, amount]) => {
      const bound = bounds.get(name);
      return bound !== undefined && compareQuantities(amount, bound) > 0;
    })
    .map(([name]) => name)
    .sort();
