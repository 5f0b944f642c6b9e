import { type ApiObject, compareQuantities, isJsonObject, jsonEquals, type Quantity } from '@orch/machinery';
import {
  type Amounts,
  readAmounts,
  type ScopeCondition,
  sameAmounts,
  scopeConditions,
  writeAmounts,
} from '@orch/quota';

/** A quota as its owner wrote it. */
export interface QuotaSpec {
  readonly hard: Readonly<Record<string, unknown>>;
  /** Names of what is bounded. */
  readonly bounds: readonly string[];
  readonly conditions: readonly ScopeCondition[];
}

export function quotaSpec(quota: ApiObject): QuotaSpec {
  const spec = isJsonObject(quota['spec']) ? quota['spec'] : {};
  const hard = isJsonObject(spec['hard']) ? spec['hard'] : {};
  return { hard, bounds: Object.keys(hard), conditions: scopeConditions(quota) };
}

/** Two quotas count the same. */
export const sameSpec = (a: ApiObject, b: ApiObject): boolean =>
  jsonEquals(a['spec'] ?? null, b['spec'] ?? null);

export interface Counted {
  /** What was found for the bounds that could be counted. */
  readonly used: Amounts;
  /** Bounds that cannot be counted at the moment: what was said of them before stays. */
  readonly uncertain: ReadonlySet<string>;
  /**
   * Whether less may be said than before. Not when something was only added: whoever lets objects in may have counted
   * ahead, and that must not be taken back because the object is not seen yet.
   */
  readonly mayLower: boolean;
  /** Whether the quota may be another by now than it is here: then its status is written, so that a conflict tells. */
  readonly isDoubtful?: boolean;
}

/** The status that a quota should have; undefined when it has it. */
export function nextStatus(
  quota: ApiObject,
  { used, uncertain, mayLower, isDoubtful = false }: Counted,
): object | undefined {
  const { hard } = quotaSpec(quota);
  const status = isJsonObject(quota['status']) ? quota['status'] : {};
  const before = readAmounts(status['used']);
  const next = new Map<string, Quantity>();
  for (const bound of Object.keys(hard)) {
    const amount = chosen(used.get(bound), before.get(bound), mayLower, uncertain.has(bound));
    if (amount !== undefined) next.set(bound, amount);
  }
  const isSame = sameAmounts(readAmounts(status['hard']), readAmounts(hard)) && sameAmounts(before, next);
  return isSame && !isDoubtful ? undefined : { hard, used: writeAmounts(next) };
}

function chosen(
  found: Quantity | undefined,
  before: Quantity | undefined,
  mayLower: boolean,
  isUncertain: boolean,
): Quantity | undefined {
  if (found === undefined) return isUncertain ? before : undefined;
  if (before === undefined || mayLower) return found;
  return compareQuantities(found, before) < 0 ? before : found;
}
