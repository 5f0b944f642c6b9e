import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText } from '@orch/machinery/json';
import type { ClaimScopes, Measure, PodScopes } from './measure.ts';

/** A condition of a quota on the objects that it counts. */
export interface ScopeCondition {
  readonly scope: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; all scopes but those of classes support `Exists` only. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** The conditions of a quota, in both formats; all must hold. */
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

/** Reports whether an object in these scopes is counted. Objects in no scope are counted only by quotas without conditions. */
export const isInScope = (scopes: Measure['scopes'], conditions: readonly ScopeCondition[]): boolean =>
  conditions.every((condition) => scopes !== undefined && holds(scopes, condition));

/** Reports whether one condition holds for an object in these scopes. */
export const holds = (scopes: PodScopes | ClaimScopes, condition: ScopeCondition): boolean =>
  'attributesClasses' in scopes ? holdsForClaim(scopes, condition) : holdsForPod(scopes, condition);

/** A condition holds for a claim if it holds for one of its classes. */
const holdsForClaim = (
  { attributesClasses }: ClaimScopes,
  { scope, operator, values }: ScopeCondition,
): boolean =>
  scope === 'VolumeAttributesClass' &&
  (attributesClasses.length === 0 ? [''] : attributesClasses).some((name) =>
    classHolds(name, operator, values),
  );

function holdsForPod(scopes: PodScopes, { scope, operator, values }: ScopeCondition): boolean {
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

/** Matches as for a label of that name: `NotIn` also selects objects without a class. */
function classHolds(className: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return className !== '' && values.includes(className);
    case 'NotIn':
      return !values.includes(className);
    case 'Exists':
      return className !== '';
    case 'DoesNotExist':
      return className === '';
    default:
      return false;
  }
}
