import type { Subresource } from '@orch/apis';
import type { ServedResource } from '@orch/registry';
import { compareGroups, orderVersions } from './group-order.ts';

/** One version of a group with its resources, sorted by name. */
export interface ServedVersion {
  readonly version: string;
  readonly apiVersion: string;
  readonly resources: readonly ServedResource[];
}

/** A group with its versions, the preferred first. */
export interface ServedGroup {
  /** Key of the names table; `''` for core. */
  readonly key: string;
  /** As in paths; `''` for core. */
  readonly name: string;
  readonly versions: readonly ServedVersion[];
}

export interface ServedGroupsSource {
  readonly table: { readonly all: readonly ServedResource[] };
  /** Group versions (`group/version`, the group by its key) that the release before served. */
  readonly servedBefore: ReadonlySet<string>;
}

/** Everything that is served, in the order of discovery; the core group first. */
export function servedGroups({ table, servedBefore }: ServedGroupsSource): readonly ServedGroup[] {
  const groups = new Map<string, { key: string; name: string; versions: Map<string, ServedResource[]> }>();
  for (const resource of table.all) {
    const { group, groupKey, version } = resource;
    const entry = groups.get(group) ?? { key: groupKey, name: group, versions: new Map() };
    groups.set(group, entry);
    entry.versions.set(version, [...(entry.versions.get(version) ?? []), resource]);
  }
  return [...groups.values()]
    .map(({ key, name, versions }) => ({
      key,
      name,
      versions: orderVersions(
        key,
        [...versions].map(([version, all]) => ({
          version,
          apiVersion: name === '' ? version : `${name}/${version}`,
          resources: all.toSorted(byName),
        })),
        (version) => servedBefore.has(`${key}/${version}`),
      ),
    }))
    .sort((a, b) => (a.name === '' ? -1 : b.name === '' ? 1 : compareGroups(a, b)));
}

const byName = (a: ServedResource, b: ServedResource): number => (a.type.resource < b.type.resource ? -1 : 1);

/** The subresources that this server answers, by name. */
export const servedSubresources = ({ type }: Pick<ServedResource, 'type'>): readonly Subresource[] =>
  type.subresources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
