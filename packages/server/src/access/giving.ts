import {
  type CompiledRule,
  type PolicyRule,
  type RbacPolicy,
  readRules,
  readSelectors,
  type UncoveredRules,
  type UserInfo,
  uncoveredRules,
} from '@orch/auth';
import { type ApiObject, isJsonObject, jsonEquals } from '@orch/machinery';
import type { AskedGrant } from './grant-hooks.ts';

/** What a write gives away. */
export interface Giving {
  /** Where it counts; empty for the whole cluster. */
  readonly namespace: string;
  /** Undefined when the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** The role, for whoever names one that does not exist. */
  readonly resource: string;
  readonly name: string;
}

const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

/** Everything there is. */
const everything: readonly PolicyRule[] = [
  { ...none, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...none, verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * A role gives its rules to all whom it is bound to, now or later, and to the roles that are made of it. One that is
 * made of others can come to hold anything. Undefined when the write changes nothing of that.
 */
export function givenByRole({ resource, next, old }: AskedGrant, policy: RbacPolicy): Giving | undefined {
  const { name = '', namespace = '' } = next.metadata;
  const giving = (rules: readonly PolicyRule[]): Giving => ({ namespace, rules, resource, name });
  const isMadeOfOthers = readSelectors(next['aggregationRule']) !== undefined;
  const joins = joinsOthers(next, old, policy);
  if (isMadeOfOthers && (joins || !sameMember(next, old, 'aggregationRule'))) return giving(everything);
  return joins || !sameMember(next, old, 'rules') ? giving(readRules(next['rules'])) : undefined;
}

/** By its labels the role becomes part of one that it was not part of. */
function joinsOthers(next: ApiObject, old: ApiObject | undefined, policy: RbacPolicy): boolean {
  if (next.kind !== 'ClusterRole') return false;
  const labels = next.metadata.labels ?? {};
  if (old !== undefined && jsonEquals(labels, old.metadata.labels ?? {})) return false;
  const before = old === undefined ? [] : policy.rolesMadeOf(old.metadata.labels ?? {});
  return policy.rolesMadeOf(labels).some((role) => !before.includes(role));
}

/** A binding gives the rules of its role. Undefined when neither the role nor the subjects change. */
export function givenByBinding({ next, old }: AskedGrant, policy: RbacPolicy): Giving | undefined {
  if (sameMember(next, old, 'subjects') && sameMember(next, old, 'roleRef')) return undefined;
  const ref = isJsonObject(next['roleRef']) ? next['roleRef'] : {};
  const { namespace = '' } = next.metadata;
  const kind = String(ref['kind']);
  const name = String(ref['name']);
  return {
    namespace,
    rules: policy.rulesOf({ kind, name }, namespace),
    resource: kind === 'Role' ? 'roles' : 'clusterroles',
    name,
  };
}

const sameMember = (next: ApiObject, old: ApiObject | undefined, member: string): boolean =>
  old !== undefined && jsonEquals(next[member] ?? null, old[member] ?? null);

/** What of it the user does not hold in that place himself. Within a namespace, paths are nobody's to have. */
export function uncovered(
  policy: RbacPolicy,
  user: UserInfo,
  { namespace, rules }: Giving & { readonly rules: readonly PolicyRule[] },
): UncoveredRules {
  const held = new Set<CompiledRule>();
  for (const { rule, binding } of policy.grants(user, namespace)) {
    if (binding.namespace === '' || rule.paths.length === 0) held.add(rule);
  }
  const wanted =
    namespace === '' ? rules : rules.filter(({ nonResourceURLs }) => nonResourceURLs.length === 0);
  return uncoveredRules(wanted, [...held]);
}
