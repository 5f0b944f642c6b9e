import { isJsonObject } from '@orch/machinery';

/** What a role allows (access-control document, 2.8): some verbs on some resources, or on some paths. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** `pods`, `pods/log`, `*`, `pods/*`, `*` followed by `/scale`. */
  readonly resources: readonly string[];
  /** The only objects that are meant; all when empty. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Reads the rules of a stored role; what is no rule allows nothing. */
export function readRules(value: unknown): readonly PolicyRule[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

export const ALL = '*';
/** All resources with their subresources. */
export const ALL_BELOW = '*/*';

/**
 * Words of a rule's `resources` that allow a resource, or a subresource. `*` stands for resources without their
 * subresources, `*` followed by `/*` for both.
 */
export const resourceWords = (resource: string, subresource: string): readonly string[] =>
  subresource === ''
    ? [resource, ALL, ALL_BELOW]
    : [`${resource}/${subresource}`, `${resource}/*`, `*/${subresource}`, ALL_BELOW];

/**
 * A rule for all verbs on all resources of all groups is meant to allow everything (5.13, `cluster-admin`): it says so
 * with `*` alone, which by itself would leave out subresources.
 */
export const allowsEverything = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): boolean =>
  verbs.includes(ALL) && apiGroups.includes(ALL) && resources.includes(ALL) && resourceNames.length === 0;

/** The resources of a rule, with all that they mean. */
export const meantResources = (rule: PolicyRule): readonly string[] =>
  allowsEverything(rule) ? [...rule.resources, ALL_BELOW] : rule.resources;

/** A path is the word itself, or begins with it up to its final `*`. */
export const pathMatches = (word: string, path: string): boolean =>
  word === path || (word.endsWith(ALL) && path.startsWith(word.slice(0, -1)));
