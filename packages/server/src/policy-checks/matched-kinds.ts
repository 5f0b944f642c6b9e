import type { RuleWithOperations } from '@orch/kinds/admissionregistration';
import type { ResourceTable, ServedResource } from '@orch/registry';

/** Maximum number of kinds against which the expressions of a policy are checked. */
const MAX_KINDS = 10;
/** Maximum number of combinations of group, version and resource that are looked up for a policy. */
const MAX_COMBINATIONS = 1000;

/**
 * The kinds that the rules of a policy name, in order of group, version and kind: the first ten. Rules with a wildcard name
 * none, and subresources are left out.
 */
export function matchedKinds(
  rules: readonly RuleWithOperations[],
  table: Pick<ResourceTable, 'find'>,
): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  let lookups = 0;
  for (const [group, version, resource] of combinations(rules)) {
    if (lookups++ === MAX_COMBINATIONS || found.size === MAX_KINDS) break;
    const served = table.find(group, version, resource);
    if (served !== undefined) found.set(`${served.apiVersion}/${served.type.kind}`, served);
  }
  return [...found.values()].sort(byGroupVersionKind);
}

function* combinations(
  rules: readonly RuleWithOperations[],
): Generator<readonly [group: string, version: string, resource: string]> {
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some(isWildcard)) continue;
    const named = resources.filter((resource) => !isWildcard(resource) && !resource.includes('/'));
    for (const group of apiGroups)
      for (const version of apiVersions) for (const resource of named) yield [group, version, resource];
  }
}

const isWildcard = (value: string): boolean => value.includes('*');

const byGroupVersionKind = (a: ServedResource, b: ServedResource): number =>
  compare(a.group, b.group) || compare(a.version, b.version) || compare(a.type.kind, b.type.kind);

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
