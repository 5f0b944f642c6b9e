import type { ClusterRole } from '@orch/kinds/rbac';
import type { PolicyRule } from '../types.ts';

export type { PolicyRule };

/** The rules of a role, with empty lists for absent ones. */
export const policyRules = (rules: ClusterRole['rules']): readonly PolicyRule[] =>
  (rules ?? []).map(({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }) => ({
    verbs: verbs ?? [],
    apiGroups: apiGroups ?? [],
    resources: resources ?? [],
    resourceNames: resourceNames ?? [],
    nonResourceURLs: nonResourceURLs ?? [],
  }));

export const ALL = '*';

/**
 * Words of a rule's `resources` that allow every resource and every subresource: `*` too, as in other servers of this API
 * and as published roles assume (`apps/*` with `*` allows `deployments/scale`), although the access-control document (2.8)
 * leaves subresources out of it.
 */
export const allWords: readonly string[] = [ALL, '*/*'];

/** Words of a rule's `resources` that allow a resource, or a subresource. */
export const resourceWords = (resource: string, subresource: string): readonly string[] =>
  subresource === ''
    ? [resource, ...allWords]
    : [`${resource}/${subresource}`, `${resource}/*`, `*/${subresource}`, ...allWords];

/** A path is the word itself, or begins with it up to its final `*`. */
export const pathMatches = (word: string, path: string): boolean =>
  word === path || (word.endsWith(ALL) && path.startsWith(word.slice(0, -1)));
