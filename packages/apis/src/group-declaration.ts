import type { GroupKey } from '@orch/machinery';
import type { KindDeclaration } from './kind-declaration.ts';
import type { ResourceType } from './resource-type.ts';

/** An API group: its place in discovery and its resources. */
export interface GroupDeclaration {
  /** Key of the names table, which has the name of the group under both namings; `''` for core. */
  readonly key: Exclude<GroupKey, 'core'> | '';
  /** Groups with a higher priority come first in discovery, those with the same priority by name. */
  readonly priority: number;
  /** The version priorities of the API services, higher first; a version without a priority has no API service. */
  readonly versionPriorities: Readonly<Record<string, number>>;
  /** The order of versions in discovery, if it is not by stability and number. */
  readonly versionOrder?: readonly string[];
  /** Whether a new version is preferred in the release that adds it, and not only from the next release on. */
  readonly prefersNewVersions?: true;
  /** The resources of the group, in discovery order. */
  readonly types: readonly ResourceType[];
  /** Kinds without a resource: bodies of subresources and query options. */
  readonly kinds?: readonly KindDeclaration[];
}
