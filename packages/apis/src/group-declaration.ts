import type { GroupKey } from '@orch/machinery';
import type { KindDeclaration } from './kind-declaration.ts';
import { atLeast, type Release } from './release.ts';
import type { ResourceType } from './resource-type.ts';

/** An API group: its place in discovery and its resources. */
export interface GroupDeclaration {
  /** Key of the names table, which has the name of the group under both namings; `''` for core. */
  readonly key: Exclude<GroupKey, 'core'> | '';
  /** Groups with a higher priority come first in discovery, those with the same priority by name. */
  readonly priority: number;
  /** The version priorities of the API services, higher first; a version without a priority has no API service. */
  readonly versionPriorities: Readonly<Record<string, number>>;
  /** The priorities of versions that were removed and came back for other kinds, from a release on. */
  readonly returnedVersions?: Readonly<Record<string, { readonly since: string; readonly priority: number }>>;
  /** The order of versions in discovery, if it is not by stability and number. */
  readonly versionOrder?: readonly string[];
  /** Whether a new version is preferred in the release that adds it, and not only from the next release on. */
  readonly prefersNewVersions?: true;
  /** The resources of the group, in discovery order. */
  readonly types: readonly ResourceType[];
  /** Kinds without a resource: bodies of subresources and query options. */
  readonly kinds?: readonly KindDeclaration[];
}

/** The priority of a version's API service in a release; undefined for a version without an API service. */
export function versionPriority(
  { versionPriorities, returnedVersions = {} }: GroupDeclaration,
  version: string,
  release: Release,
): number | undefined {
  const returned = returnedVersions[version];
  return returned !== undefined && atLeast(release, returned.since)
    ? returned.priority
    : versionPriorities[version];
}
