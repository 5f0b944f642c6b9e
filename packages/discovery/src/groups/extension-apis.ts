import type { GroupVersionKind } from '@orch/machinery';

/**
 * The priority of a group among all groups, and of a version within its group, as an API service sets them: higher
 * comes first.
 */
export interface ApiPriority {
  readonly group: number;
  readonly version: number;
}

/** The priorities of group versions of custom resources, and of those without an API service. */
export const customPriority: ApiPriority = { group: 1000, version: 100 };

/** A subresource of an extension API server in the aggregated form of discovery. */
export interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind?: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** A resource of an extension API server in the aggregated form of discovery. */
export interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
}

/** A group version of an extension API server. */
export interface ExtensionVersion {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  /** As last read from the server; empty before it has answered for the first time. */
  readonly discovered: readonly DiscoveredResource[];
  /** `Stale` while the server cannot be reached. */
  readonly freshness: 'Current' | 'Stale';
}

/** The additions of API services to discovery. */
export interface ExtensionState {
  readonly versions: readonly ExtensionVersion[];
  /** By `group/version`, where they differ from `customPriority`. Never for built-in group versions. */
  readonly priorities: ReadonlyMap<string, ApiPriority>;
}

export interface ExtensionApis {
  /** The same object until anything in it changes. */
  readonly state: ExtensionState;
}

/** The extension APIs of a server without extension API servers. */
export const noExtensions: ExtensionApis = { state: { versions: [], priorities: new Map() } };
