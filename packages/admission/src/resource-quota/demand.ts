import type { ApiObject } from '@orch/machinery';
import {
  type Amounts,
  type Evaluator,
  exceeding,
  growthOf,
  isInScope,
  type MeasuredWrite,
  noAmounts,
  sumOf,
  writeAmounts,
} from '@orch/quota';
import type { Refusal } from '../types.ts';
import { boundsFor, type QuotaState } from './quota-state.ts';

/** A write that may increase the usage of quotas. */
export interface QuotaRequest extends MeasuredWrite {
  readonly namespace: string;
  readonly evaluator: Evaluator;
  /** The object as it will be stored. */
  readonly object: ApiObject;
  /** Whether the write is a dry run. */
  readonly dryRun: boolean;
  /** Time of the measurement (wall time). */
  readonly nowMs: number;
}

/**
 * The amounts that a write takes of a quota, regardless of the remaining amounts. A refusal when the write does not
 * specify a bounded resource, or when the usage of the quota has not been calculated yet.
 */
export function demandOf(quota: QuotaState, request: QuotaRequest): Amounts | Refusal {
  const { evaluator, next, old, object, nowMs } = request;
  const bounds = boundsFor(quota, evaluator);
  const { name, conditions, used } = quota;
  if (bounds.length === 0 || !isInScope(next.scopes, conditions)) return noAmounts;
  const growth = growthOf(request, { bounds: new Set(bounds), conditions }, nowMs);
  if (old !== undefined && growth.size === 0) return noAmounts;
  const missing = evaluator.missing?.(object, bounds) ?? [];
  if (missing.length > 0) return `failed quota: ${name}: must specify ${missing.join('; ')}`;
  const unknown = bounds.filter((bound) => !used.has(bound)).sort();
  if (unknown.length > 0) return `status unknown for quota: ${name}, resources: ${unknown.join(',')}`;
  return growth;
}

/** The reason why a quota with this usage cannot provide these amounts; undefined when it can. */
export function shortage({ name, hard }: QuotaState, used: Amounts, requested: Amounts): Refusal | undefined {
  const exceeded = exceeding(sumOf(only(used, [...requested.keys()]), requested), hard);
  if (exceeded.length === 0) return undefined;
  const [asked, taken, limited] = [requested, used, hard].map((amounts) => textOf(only(amounts, exceeded)));
  return `exceeded quota: ${name}, requested: ${asked}, used: ${taken}, limited: ${limited}`;
}

function only(amounts: Amounts, names: readonly string[]): Amounts {
  const chosen = new Set(names);
  return new Map([...amounts].filter(([name]) => chosen.has(name)));
}

const textOf = (amounts: Amounts): string =>
  Object.entries(writeAmounts(amounts))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');
