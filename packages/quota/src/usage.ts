import type { Quantity } from '@orch/machinery/quantity';
import { type Amounts, addTo, zeroAmount } from './amounts.ts';
import type { Measure } from './measure.ts';
import { isInScope, type ScopeCondition } from './scopes.ts';

/** The usage at this time. */
export const takenAt = ({ always, whileLive, liveUntilMs }: Measure, nowMs: number): readonly Amounts[] =>
  nowMs < liveUntilMs ? [always, whileLive] : [always];

export interface Usage {
  /** All requested bounds, 0 for those without usage. */
  readonly used: Amounts;
  /** The time at which usage decreases without a write; undefined for never. */
  readonly validUntilMs: number | undefined;
}

/** The usage of these bounds at this time by the objects that match the conditions of the quota. */
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
