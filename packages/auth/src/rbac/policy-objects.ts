import type { ApiObject, Names } from '@orch/machinery';
import { asText, isJsonObject } from '@orch/machinery/json';
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
} from '@orch/machinery/selectors';
import { type CompiledRule, compileRule, indexRules, type RuleIndex } from './compiled-rule.ts';
import { readRules } from './policy-rule.ts';

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

export function compileRole(key: RoleKey, object: ApiObject): CompiledRole {
  const rules = readRules(object['rules']).map(compileRule);
  return { key, rules, index: indexRules(rules), madeOf: readSelectors(object['aggregationRule']) };
}

/** The selectors of an aggregation rule; one that cannot be read selects nothing. */
export function readSelectors(aggregationRule: unknown): readonly LabelSelector[] | undefined {
  if (!isJsonObject(aggregationRule)) return undefined;
  const selectors = aggregationRule['clusterRoleSelectors'];
  if (!Array.isArray(selectors)) return [];
  return selectors.filter(isJsonObject).flatMap((selector) => {
    try {
      return [labelSelectorFromObject(selector as LabelSelectorObject)];
    } catch {
      return [];
    }
  });
}

export function compileBinding(object: ApiObject, names: Names): CompiledBinding {
  const { name = '', namespace = '' } = object.metadata;
  const ref = isJsonObject(object['roleRef']) ? object['roleRef'] : {};
  const subjects = Array.isArray(object['subjects']) ? object['subjects'].filter(isJsonObject) : [];
  return {
    name,
    namespace,
    role: roleKey(asText(ref['kind']), namespace, asText(ref['name'])),
    subjects: [...new Set(subjects.flatMap((subject) => subjectKeys(subject, namespace, names)))],
  };
}

/** The lookup keys of a subject. A service account without a namespace is one of the namespace of the binding. */
function subjectKeys(
  subject: Readonly<Record<string, unknown>>,
  bindingNamespace: string,
  { users }: Names,
): readonly SubjectKey[] {
  const name = asText(subject['name']);
  switch (subject['kind']) {
    case 'User':
      return [userKey(name)];
    case 'Group':
      return [groupKey(name)];
    case 'ServiceAccount': {
      const namespace = asText(subject['namespace']) || bindingNamespace;
      return namespace === '' ? [] : [userKey(`${users.serviceAccountPrefix}${namespace}:${name}`)];
    }
    default:
      return [];
  }
}
