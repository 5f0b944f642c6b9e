import type { ResourceQuota } from '@orch/kinds/core';
import type { ApiObject } from '@orch/machinery';
import {
  type Amounts,
  type Evaluator,
  readAmounts,
  type ScopeCondition,
  scopeConditions,
  writeAmounts,
} from '@orch/quota';
import type { QuotaName, StoredQuota } from './quota-store.ts';

/** A quota at one revision. Its status, which the quota controller calculates, is enforced. */
export interface QuotaState extends QuotaName, StoredQuota {
  readonly hard: Amounts;
  readonly used: Amounts;
  readonly conditions: readonly ScopeCondition[];
  /** A revision before which, or at which, all writes by others than admission were made; undefined when none is known. */
  readonly calculatedBy: number | undefined;
}

export function quotaState(object: ApiObject, revision: number): QuotaState {
  const { metadata, status = {} }: ResourceQuota = object;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    object,
    revision,
    hard: readAmounts(status.hard),
    used: readAmounts(status.used),
    conditions: scopeConditions(object),
    calculatedBy: undefined,
  };
}

/** The object of a quota whose usage has changed. */
export const withUsage = ({ object }: QuotaState, used: Amounts): ApiObject => {
  const { status }: ResourceQuota = object;
  return { ...object, status: { ...status, used: writeAmounts(used) } };
};

/** The names under which a quota limits the objects of an evaluator. */
export const boundsFor = ({ hard }: QuotaState, evaluator: Evaluator): readonly string[] =>
  [...hard.keys()].filter((name) => evaluator.counts(name));
