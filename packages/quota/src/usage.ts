import type { Quantity } from '@orch/machinery/quantity';
import { type Amounts, addTo, zeroAmount } from './amounts.ts';
import type { Measure } from './measure.ts';
import { isInScope, type ScopeCondition } from './scopes.ts';

/** The amounts taken at this time. */
export const takenAt = ({ always, whileLive, liveUntilMs }: Measure, nowMs: number): readonly Amounts[] =>
  nowMs < liveUntilMs ? [always, whileLive] : [always];

export interface Usage {
  /** Every bound that was asked for, 0 where nothing counts against it. */
  readonly used: Amounts;
  /** When time alone makes it less; undefined for never. */
  readonly validUntilMs: number | undefined;
}

/** The amounts of these bounds that objects take at this time, of those objects that the conditions of the quota include. */
export function usageOf(
  measures: Iterable<Measure>,
  {
    bounds,
    conditions,
  }: { readonly bounds: readonly string[]; readonly conditions: readonly ScopeCondition[] },
  nowMs: number,
): Usage {
  const sums = new Map<string, Quantity>(bounds.map((bound) => [bound, zeroAmount]));
  const wanted = new Set(bounds);
  let validUntilMs = Number.POSITIVE_INFINITY;
  for (const measure of measures) {
    if (!isInScope(measure.scopes, conditions)) continue;
    for (const amounts of takenAt(measure, nowMs)) addTo(sums, amounts, wanted);
    if (measure.liveUntilMs > nowMs) validUntilMs = Math.min(validUntilMs, measure.liveUntilMs);
  }
  return { used: sums, validUntilMs: Number.isFinite(validUntilMs) ? validUntilMs : undefined };
}
