import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { CheckContext } from '@orch/schema';
import { isStandardQuotaResource, quotaResourceProblem } from '../shared/validation/resource-names.ts';
import { amountsOf, checkAmount } from '../shared/validation/resources.ts';

/** Checks that limits have names that quotas support, and scopes match the limits. */
export function validateResourceQuota(
  next: ResourceQuota,
  old: ResourceQuota | undefined,
  { names, since }: Pick<CheckContext, 'names' | 'since'>,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  const known = since('1.33') ? new Set([...podScopes, CLASS_SCOPE]) : podScopes;
  const scopes = spec.scopes ?? [];
  const before = old === undefined ? scopes : (old.spec?.scopes ?? []);
  const changed = !jsonEquals([...scopes].sort(), [...before].sort());
  return [
    ...checkBounds('spec.hard', spec.hard, names),
    ...checkScopes('spec.scopes', spec, known),
    ...checkScopeSelector('spec.scopeSelector', spec, known),
    ...(changed ? [fieldError.invalid('spec.scopes', scopes, 'field is immutable')] : []),
  ];
}

/** Checks that the enforced and the used amounts have valid resource names and values. */
export function validateResourceQuotaStatus(next: ResourceQuota, names: Names): readonly FieldError[] {
  const status = next.status ?? {};
  return [
    ...checkBounds('status.hard', status.hard, names),
    ...checkBounds('status.used', status.used, names),
  ];
}

const checkBounds = (path: string, list: ResourceQuotaSpec['hard'], names: Names): readonly FieldError[] =>
  amountsOf(list).flatMap((entry) => {
    const at = `${path}[${entry.name}]`;
    const wrong = quotaResourceProblem(entry.name);
    return [
      ...(wrong === undefined ? [] : [fieldError.invalid(at, entry.name, wrong)]),
      ...checkAmount(at, entry, names),
    ];
  });

type Scopes = ReadonlySet<string>;

const podScopes: Scopes = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
]);

/** The scope of claims that name a VolumeAttributesClass. */
const CLASS_SCOPE = 'VolumeAttributesClass';

const claimResources = new Set(['persistentvolumeclaims', 'requests.storage']);

const computeResources = new Set([
  'pods',
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

/** Checks scopes, which select pods or claims; best effort limits only the number of pods, since such pods have no requests. */
function fits(scope: string, resource: string): boolean {
  if (!isStandardQuotaResource(resource)) return true;
  if (scope === CLASS_SCOPE) return claimResources.has(resource);
  return scope === 'BestEffort' ? resource === 'pods' : computeResources.has(resource);
}

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const conflict = (scopes: readonly string[]): boolean =>
  opposites.some(([one, other]) => scopes.includes(one) && scopes.includes(other));

/** The scopes that do not fit one of the resources of a quota. */
function misfitsOf(spec: ResourceQuotaSpec, known: Scopes): Scopes {
  const resources = Object.keys(spec.hard ?? {});
  return new Set([...known].filter((scope) => !resources.every((resource) => fits(scope, resource))));
}

function checkScopes(path: string, spec: ResourceQuotaSpec, known: Scopes): readonly FieldError[] {
  const { scopes = [] } = spec;
  const errors: FieldError[] = [];
  const misfits = misfitsOf(spec, known);
  for (const scope of scopes) {
    if (!known.has(scope)) errors.push(fieldError.invalid(path, scopes, 'unsupported scope'));
    else if (misfits.has(scope)) {
      errors.push(fieldError.invalid(path, scopes, 'unsupported scope applied to resource'));
    }
  }
  return conflict(scopes) ? [...errors, fieldError.invalid(path, scopes, 'conflicting scopes')] : errors;
}

/** Checks conditions on scopes; errors name the list. */
function checkScopeSelector(path: string, spec: ResourceQuotaSpec, known: Scopes): readonly FieldError[] {
  const at = `${path}.matchExpressions`;
  const conditions = spec.scopeSelector?.matchExpressions ?? [];
  const scopes = conditions.map((condition) => condition.scopeName ?? '');
  const misfits = misfitsOf(spec, known);
  const errors = conditions.flatMap((condition) => checkCondition(at, condition, { known, misfits }));
  return conflict(scopes) ? [...errors, fieldError.invalid(at, scopes, 'conflicting scopes')] : errors;
}

function checkCondition(
  path: string,
  condition: ScopedResourceSelectorRequirement,
  { known, misfits }: Readonly<Record<'known' | 'misfits', Scopes>>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const scope = condition.scopeName ?? '';
  const operator = condition.operator ?? '';
  const values = condition.values ?? [];
  if (!known.has(scope)) errors.push(fieldError.invalid(`${path}.scopeName`, scope, 'unsupported scope'));
  else if (misfits.has(scope)) {
    errors.push(fieldError.invalid(path, scope, 'unsupported scope applied to resource'));
  }
  if (podScopes.has(scope) && scope !== 'PriorityClass' && operator !== 'Exists') {
    errors.push(fieldError.invalid(`${path}.operator`, operator, `must be 'Exists' when scope is ${scope}`));
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return errors;
      return [
        ...errors,
        fieldError.required(
          `${path}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn'",
        ),
      ];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return errors;
      return [
        ...errors,
        fieldError.invalid(
          `${path}.values`,
          values,
          "must be no value when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    default:
      return [...errors, fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
