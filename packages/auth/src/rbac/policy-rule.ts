import { asStrings, isJsonObject } from '@orch/machinery/json';
import type { PolicyRule } from '../types.ts';

export type { PolicyRule };

/** Reads the rules of a stored role; an invalid rule allows nothing. */
export function readRules(value: unknown): readonly PolicyRule[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((rule) => ({
    verbs: asStrings(rule['verbs']),
    apiGroups: asStrings(rule['apiGroups']),
    resources: asStrings(rule['resources']),
    resourceNames: asStrings(rule['resourceNames']),
    nonResourceURLs: asStrings(rule['nonResourceURLs']),
  }));
}

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
