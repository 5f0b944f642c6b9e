import type { Names } from '@orch/machinery';
import type { PolicyRule } from '../policy-rule.ts';

/** A rule under both namings: groups by their keys in the names table. */
export interface DeclaredRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly paths: readonly string[];
}

export interface DeclaredSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

/** A default role, with its default bindings. */
export interface DeclaredRole {
  readonly name: string;
  /** A role of this namespace; of the cluster when absent. */
  readonly namespace?: string;
  readonly rules?: readonly DeclaredRule[];
  /** Label by which other roles become part of this one. */
  readonly madeOf?: string;
  /** Label by which this one becomes part of another. */
  readonly partOf?: string;
  /** No binding when absent; a binding without subjects when empty. */
  readonly boundTo?: readonly DeclaredSubject[];
  /** Name of the binding where it is not that of the role. */
  readonly bindingName?: string;
}

export const read = 'get list watch';
export const write = 'create delete deletecollection patch update';

const words = (text: string): readonly string[] => text.split(' ');

/** Verbs, keys of groups and resources are separated by blanks. */
export const on = (
  verbs: string,
  groups: string,
  resources: string,
  resourceNames: readonly string[] = [],
): DeclaredRule => ({
  verbs: words(verbs),
  groups: words(groups),
  resources: words(resources),
  resourceNames,
  paths: [],
});

export const onPaths = (verbs: string, paths: string): DeclaredRule => ({
  verbs: words(verbs),
  groups: [],
  resources: [],
  resourceNames: [],
  paths: words(paths),
});

export const user = (name: string): DeclaredSubject => ({ kind: 'User', name });
export const group = (name: string): DeclaredSubject => ({ kind: 'Group', name });
/** A service account of the system namespace. */
export const account = (name: string): DeclaredSubject => ({ kind: 'ServiceAccount', name });

/** The rule as a cluster of this naming has it. */
export const ruleOf = (
  { verbs, groups, resources, resourceNames, paths }: DeclaredRule,
  names: Names,
): PolicyRule => ({
  verbs,
  apiGroups: groups.map((key) => (key === '*' ? key : names.group(key))),
  resources,
  resourceNames,
  nonResourceURLs: paths,
});
