import type { Names } from '@orch/machinery';
import type { PolicyRule } from '../policy-rule.ts';

/**
 * The releases that have a part of the default roles: from `since` on, before `until`; and from `gatedSince` on where the feature
 * gate is enabled.
 */
export interface Lifetime {
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
  readonly gatedSince?: string;
}

/** The emulated release. */
export interface EmulatedRelease {
  /** Reports whether it is a given one or a later one. */
  readonly isSince: (release: string) => boolean;
  /** Reports whether a part with a feature gate is served; no gate is enabled when absent. */
  readonly isServed?: (part: Lifetime) => boolean;
}

/** Reports whether a part is among the default roles. */
export function isIn(part: Lifetime, { isSince, isServed }: EmulatedRelease): boolean {
  const { since, until, gate } = part;
  if (gate !== undefined && isServed !== undefined) return isServed(part);
  if (since === NEVER) return false;
  return (since === undefined || isSince(since)) && (until === undefined || !isSince(until));
}

/** Of a part that no release has without a feature gate. */
const NEVER = 'never';

/** A rule under both namings: groups by their keys in the names table. */
export interface DeclaredRule extends Lifetime {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly paths: readonly string[];
}

export interface DeclaredSubject extends Lifetime {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

/** A default role, with its default bindings. */
export interface DeclaredRole extends Lifetime {
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

/** Parts that exist from a release on. */
export const since = <T extends Lifetime>(release: string, ...parts: readonly T[]): readonly T[] =>
  parts.map((part) => ({ ...part, since: release }));

/** Parts that exist where a feature gate is enabled, from a release on. Those with a release exist from that on in any case. */
export const gated = <T extends Lifetime>(
  gate: string,
  gatedSince: string,
  ...parts: readonly T[]
): readonly T[] => parts.map((part) => ({ since: NEVER, ...part, gate, gatedSince }));

/** Parts that exist before a release. */
export const until = <T extends Lifetime>(release: string, ...parts: readonly T[]): readonly T[] =>
  parts.map((part) => ({ ...part, until: release }));

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
