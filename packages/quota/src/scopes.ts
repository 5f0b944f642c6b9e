import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText } from '@orch/machinery/json';
import type { PodScopes } from './measure.ts';

/** One condition of a quota on the objects that it counts. */
export interface ScopeCondition {
  readonly scope: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; all but `PriorityClass` know `Exists` alone. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** The conditions of a quota, of both forms; all must hold. */
export function scopeConditions(quota: ApiObject): readonly ScopeCondition[] {
  const spec = asObject(quota['spec']);
  const { matchExpressions } = asObject(spec['scopeSelector']);
  return [
    ...asStrings(spec['scopes']).map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...readConditions(matchExpressions),
  ];
}

/** Conditions in the format of `spec.scopeSelector.matchExpressions`. */
export const readConditions = (list: unknown): readonly ScopeCondition[] =>
  asObjects(list).map((condition) => ({
    scope: asText(condition['scopeName']),
    operator: asText(condition['operator']),
    values: asStrings(condition['values']),
  }));

/** Whether an object in these scopes is counted. Objects in no scope are counted only by quotas without conditions. */
export const isInScope = (scopes: PodScopes | undefined, conditions: readonly ScopeCondition[]): boolean =>
  conditions.every((condition) => scopes !== undefined && holds(scopes, condition));

/** Whether one condition holds for an object in these scopes. */
export function holds(scopes: PodScopes, { scope, operator, values }: ScopeCondition): boolean {
  switch (scope) {
    case 'Terminating':
      return scopes.isTerminating;
    case 'NotTerminating':
      return !scopes.isTerminating;
    case 'BestEffort':
      return scopes.isBestEffort;
    case 'NotBestEffort':
      return !scopes.isBestEffort;
    case 'PriorityClass':
      return classHolds(scopes.priorityClass, operator, values);
    case 'CrossNamespacePodAffinity':
      return scopes.hasCrossNamespaceAffinity;
    default:
      return false;
  }
}

/** As a label of that name would be selected: `NotIn` also takes pods without a class. */
function classHolds(priorityClass: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return priorityClass !== '' && values.includes(priorityClass);
    case 'NotIn':
      return !values.includes(priorityClass);
    case 'Exists':
      return priorityClass !== '';
    case 'DoesNotExist':
      return priorityClass === '';
    default:
      return false;
  }
}
