import { compareVersions, preferredVersion } from '@orch/apis';

/**
 * Groups in the order in which `/apis` names them: by priority, then by name (facts: resources). Keys of the names
 * table; groups that are not listed come last.
 */
const priorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apiregistration: 20_000,
  apps: 17_800,
  events: 17_750,
  authentication: 17_700,
  authorization: 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  certificates: 17_300,
  networking: 17_200,
  extensions: 17_150,
  policy: 17_100,
  rbac: 17_000,
  settings: 16_900,
  storage: 16_800,
  admissionregistration: 16_700,
  apiextensions: 16_700,
  scheduling: 16_600,
  coordination: 16_500,
  auditregistration: 16_400,
  node: 16_300,
  discovery: 16_200,
  flowcontrol: 16_100,
  apiserverinternal: 16_000,
  resource: 15_900,
  storagemigration: 15_800,
};

/** Groups whose versions stand in another order than that of stability and number (facts: resources), the first first. */
const versionOrders: Readonly<Record<string, readonly string[]>> = {
  autoscaling: ['v2', 'v1', 'v2beta1', 'v2beta2'],
};

/** Groups whose preferred version advanced in the very release that brought it (observed in 1.20). */
const advancedAtOnce: ReadonlySet<string> = new Set(['node']);

/**
 * The served versions of a group as discovery names them, the preferred one first (spec 9.3, rule 4b). `wasServed` tells
 * whether the release before served a version.
 */
export function orderVersions<V extends { readonly version: string }>(
  group: string,
  served: readonly V[],
  wasServed: (version: string) => boolean,
): readonly V[] {
  const order = versionOrders[group] ?? [];
  const rank = ({ version }: V): number => (order.includes(version) ? order.indexOf(version) : order.length);
  const sorted = served.toSorted((a, b) => rank(a) - rank(b) || compareVersions(a.version, b.version));
  const preferred = advancedAtOnce.has(group)
    ? sorted[0]
    : preferredVersion(sorted, ({ version }) => wasServed(version));
  return preferred === undefined ? sorted : [preferred, ...sorted.filter((one) => one !== preferred)];
}

/** Where a group stands among all; undefined for one that is not listed. */
export const groupPriority = (group: string): number | undefined => priorities[group];

/** Compares groups by key and, among equals, by the name that is served. */
export function compareGroups(
  a: { readonly key: string; readonly name: string },
  b: { readonly key: string; readonly name: string },
): number {
  const byPriority = (priorities[b.key] ?? 0) - (priorities[a.key] ?? 0);
  if (byPriority !== 0) return byPriority;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
