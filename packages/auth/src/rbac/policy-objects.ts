import type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  Subject,
} from '@orch/kinds/rbac';
import type { Names } from '@orch/machinery';
import { type LabelSelector, labelSelectorFromObject } from '@orch/machinery/selectors';
import { type CompiledRule, compileRule, indexRules, type RuleIndex } from './compiled-rule.ts';
import { policyRules } from './policy-rule.ts';

/** A role, of a namespace or of the cluster. */
export interface CompiledRole {
  readonly key: RoleKey;
  readonly rules: readonly CompiledRule[];
  readonly index: RuleIndex;
  /** Selectors of the roles that it aggregates; undefined for a role that declares its rules. */
  readonly madeOf: readonly LabelSelector[] | undefined;
}

/** `/name` of a role of the cluster, `namespace/name` of a role of a namespace. */
export type RoleKey = string;

export const roleKey = (kind: string, namespace: string, name: string): RoleKey =>
  kind === 'ClusterRole' ? `/${name}` : `${namespace}/${name}`;

/** A binding: its subjects, its role and its namespace. */
export interface CompiledBinding {
  readonly name: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly role: RoleKey;
  readonly subjects: readonly SubjectKey[];
}

/** `u` and the name of a user, or `g` and the name of a group. Service accounts are users. */
export type SubjectKey = string;

export const userKey = (name: string): SubjectKey => `u${name}`;
export const groupKey = (name: string): SubjectKey => `g${name}`;

export function compileRole(key: RoleKey, role: ClusterRole | Role): CompiledRole {
  const rules = policyRules(role.rules).map(compileRule);
  const madeOf = 'aggregationRule' in role ? selectorsOf(role.aggregationRule) : undefined;
  return { key, rules, index: indexRules(rules), madeOf };
}

/** The selectors of an aggregation rule; an invalid one selects nothing. */
export function selectorsOf(rule: AggregationRule | undefined): readonly LabelSelector[] | undefined {
  if (rule === undefined) return undefined;
  return (rule.clusterRoleSelectors ?? []).flatMap((selector) => {
    try {
      return [labelSelectorFromObject(selector)];
    } catch {
      return [];
    }
  });
}

export function compileBinding(
  { metadata, roleRef, subjects = [] }: ClusterRoleBinding | RoleBinding,
  names: Names,
): CompiledBinding {
  const { name = '', namespace = '' } = metadata;
  return {
    name,
    namespace,
    role: roleKey(roleRef?.kind ?? '', namespace, roleRef?.name ?? ''),
    subjects: [...new Set(subjects.flatMap((subject) => subjectKeys(subject, namespace, names)))],
  };
}

/** The lookup keys of a subject. A service account without a namespace is one of the namespace of the binding. */
function subjectKeys(
  { kind, name = '', namespace: own = '' }: Subject,
  bindingNamespace: string,
  { users }: Names,
): readonly SubjectKey[] {
  switch (kind) {
    case 'User':
      return [userKey(name)];
    case 'Group':
      return [groupKey(name)];
    case 'ServiceAccount': {
      const namespace = own || bindingNamespace;
      return namespace === '' ? [] : [userKey(`${users.serviceAccountPrefix}${namespace}:${name}`)];
    }
    default:
      return [];
  }
}
