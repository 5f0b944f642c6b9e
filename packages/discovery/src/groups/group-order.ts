import { compareVersions, type GroupDeclaration, preferredVersion } from '@orch/apis';

/**
 * The served versions of a group as discovery lists them, the preferred one first (spec 9.3, rule 4b). `wasServed`
 * reports whether the previous release served a version.
 */
export function orderVersions<V extends { readonly version: string }>(
  group: GroupDeclaration | undefined,
  served: readonly V[],
  wasServed: (version: string) => boolean,
): readonly V[] {
  const { versionOrder: order = [], prefersNewVersions = false } = group ?? {};
  const rank = ({ version }: V): number => (order.includes(version) ? order.indexOf(version) : order.length);
  const sorted = served.toSorted((a, b) => rank(a) - rank(b) || compareVersions(a.version, b.version));
  const preferred = prefersNewVersions
    ? sorted[0]
    : preferredVersion(sorted, ({ version }) => wasServed(version));
  return preferred === undefined ? sorted : [preferred, ...sorted.filter((one) => one !== preferred)];
}

interface Ranked {
  readonly name: string;
  readonly declared: GroupDeclaration | undefined;
}

/** Compares groups by priority and, for equal priorities, by their served name. */
export function compareGroups(a: Ranked, b: Ranked): number {
  const byPriority = (b.declared?.priority ?? 0) - (a.declared?.priority ?? 0);
  if (byPriority !== 0) return byPriority;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
