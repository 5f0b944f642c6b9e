import {
  type CompiledRule,
  type PolicyRule,
  policyRules,
  type RbacPolicy,
  type RoleOrBinding,
  selectorsOf,
  type UncoveredRules,
  type UserInfo,
  uncoveredRules,
} from '@orch/auth';
import { jsonEquals } from '@orch/machinery/json';

/** A write of a role or a binding. */
export interface RequestedGrant {
  readonly resource: string;
  readonly next: RoleOrBinding;
  readonly old: RoleOrBinding | undefined;
}

/** The permissions that a write grants. */
export interface GrantedRules {
  /** Empty for the whole cluster. */
  readonly namespace: string;
  /** Undefined when the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** Resource and name of the role, for the message about a missing role. */
  readonly resource: string;
  readonly name: string;
}

const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

/** All permissions. */
const everything: readonly PolicyRule[] = [
  { ...none, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...none, verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * The rules that a role grants to its subjects, and to the aggregated roles that select it. An aggregated role may
 * later hold any permission, so it counts as granting all. Undefined when the write does not change the granted rules.
 */
export function grantedByRole(
  { resource, next, old }: RequestedGrant,
  policy: RbacPolicy,
): GrantedRules | undefined {
  const { name = '', namespace = '' } = next.metadata;
  const granted = (rules: readonly PolicyRule[]): GrantedRules => ({ namespace, rules, resource, name });
  const isMadeOfOthers = selectorsOf(next.aggregationRule) !== undefined;
  const joins = joinsOthers(next, old, policy);
  if (isMadeOfOthers && (joins || !isSameField(next, old, 'aggregationRule'))) return granted(everything);
  return joins || !isSameField(next, old, 'rules') ? granted(policyRules(next.rules)) : undefined;
}

/** Reports whether the labels make the role part of an aggregated role that did not select it before. */
function joinsOthers(next: RoleOrBinding, old: RoleOrBinding | undefined, policy: RbacPolicy): boolean {
  if (next.kind !== 'ClusterRole') return false;
  const labels = next.metadata.labels ?? {};
  if (old !== undefined && jsonEquals(labels, old.metadata.labels ?? {})) return false;
  const before = old === undefined ? [] : policy.rolesMadeOf(old.metadata.labels ?? {});
  return policy.rolesMadeOf(labels).some((role) => !before.includes(role));
}

/** A binding grants the rules of its role. Undefined when neither role nor subjects change. */
export function grantedByBinding(
  { next, old }: RequestedGrant,
  policy: RbacPolicy,
): GrantedRules | undefined {
  if (isSameField(next, old, 'subjects') && isSameField(next, old, 'roleRef')) return undefined;
  const { kind = '', name = '' } = next.roleRef ?? {};
  const { namespace = '' } = next.metadata;
  return {
    namespace,
    rules: policy.rulesOf({ kind, name }, namespace),
    resource: kind === 'Role' ? 'roles' : 'clusterroles',
    name,
  };
}

const isSameField = (
  next: RoleOrBinding,
  old: RoleOrBinding | undefined,
  field: keyof RoleOrBinding,
): boolean => old !== undefined && jsonEquals(next[field] ?? null, old[field] ?? null);

/** The rules that the user does not hold in the namespace. Non-resource paths are never granted within a namespace. */
export function uncovered(
  policy: RbacPolicy,
  user: UserInfo,
  { namespace, rules }: GrantedRules & { readonly rules: readonly PolicyRule[] },
): UncoveredRules {
  const held = new Set<CompiledRule>();
  for (const { rule, binding } of policy.grants(user, namespace)) {
    if (binding.namespace === '' || rule.paths.length === 0) held.add(rule);
  }
  const wanted =
    namespace === '' ? rules : rules.filter(({ nonResourceURLs }) => nonResourceURLs.length === 0);
  return uncoveredRules(wanted, [...held]);
}
