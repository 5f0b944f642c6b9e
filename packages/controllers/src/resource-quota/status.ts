import type { kinds } from '@orch/client';
import { jsonEquals } from '@orch/machinery/json';
import { compareQuantities, type Quantity } from '@orch/machinery/quantity';
import {
  type Amounts,
  noAmounts,
  readAmounts,
  remainderOf,
  type ScopeCondition,
  sameAmounts,
  scopeConditions,
  writeAmounts,
  zeroAmount,
} from '@orch/quota';

type ResourceQuota = kinds.core.ResourceQuota;

/** The specification of a quota. */
export interface QuotaSpec {
  readonly hard: Record<string, string>;
  /** Names of the bounded resources. */
  readonly bounds: readonly string[];
  readonly conditions: readonly ScopeCondition[];
}

export function quotaSpec(quota: ResourceQuota): QuotaSpec {
  const { hard = {} } = quota.spec ?? {};
  return { hard, bounds: Object.keys(hard), conditions: scopeConditions(quota) };
}

/** Reports whether two quotas count the same objects and resources. */
export const sameSpec = (a: ResourceQuota, b: ResourceQuota): boolean =>
  jsonEquals(a.spec ?? null, b.spec ?? null);

/** Reports whether the usage of a quota has increased under one of its names. */
export function usesMore(old: ResourceQuota, { status }: ResourceQuota): boolean {
  if (jsonEquals(old.status?.used ?? null, status?.used ?? null)) return false;
  const before = readAmounts(old.status?.used);
  return [...readAmounts(status?.used)].some(
    ([bound, amount]) => compareQuantities(amount, before.get(bound) ?? zeroAmount) > 0,
  );
}

export interface Counted {
  /** The usage of the bounds that could be counted. */
  readonly used: Amounts;
  /** Bounds that cannot be counted at the moment: their usage stays. */
  readonly uncertain: ReadonlySet<string>;
  /**
   * Whether usage may decrease to the counted usage. Otherwise it decreases by `released` at most: admission may have
   * charged an object in advance, and the charge must not be reverted because the informer has not delivered the object
   * yet.
   */
  readonly mayLower: boolean;
  /** The amounts that deleted objects used, since the last count; nothing when absent. */
  readonly released?: Amounts;
  /** Whether the cached quota may be stale: its status is written even if unchanged, to provoke a conflict. */
  readonly isUncertain?: boolean;
}

/** The status that a quota should have; undefined when it has it. */
export function nextStatus(
  quota: ResourceQuota,
  { used, uncertain, mayLower, released = noAmounts, isUncertain = false }: Counted,
): kinds.core.ResourceQuotaStatus | undefined {
  const { hard } = quotaSpec(quota);
  const { status } = quota;
  const before = readAmounts(status?.used);
  const floor = mayLower ? noAmounts : remainderOf(before, released);
  const next = new Map<string, Quantity>();
  for (const bound of Object.keys(hard)) {
    const counted = used.get(bound);
    const previous = before.get(bound);
    const amount =
      counted === undefined
        ? uncertainAmount(previous, uncertain.has(bound))
        : greater(counted, floor.get(bound));
    if (amount !== undefined) next.set(bound, amount);
  }
  const isSame = sameAmounts(readAmounts(status?.hard), readAmounts(hard)) && sameAmounts(before, next);
  return isSame && !isUncertain ? undefined : { hard, used: writeAmounts(next) };
}

const uncertainAmount = (previous: Quantity | undefined, isUncertain: boolean): Quantity | undefined =>
  isUncertain ? previous : undefined;

const greater = (counted: Quantity, floor: Quantity | undefined): Quantity =>
  floor !== undefined && compareQuantities(counted, floor) < 0 ? floor : counted;
