import type { Resource } from '../rest/types.ts';

export interface DiscoveredResource extends Resource {
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Names of its subresources: `status`, `scale`. */
  readonly subresources: readonly string[];
}

/** What of discovery could be read: groups whose servers did not answer stand in `failed`. */
export interface DiscoverySnapshot {
  /** Every version of every group that is served. */
  readonly all: readonly DiscoveredResource[];
  /** Each resource once, in the version that its group prefers. */
  readonly preferred: readonly DiscoveredResource[];
  /** `apiVersion` of the parts that could not be read, with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

/** The resources that a server has. Reads the aggregated form where it is served, else group by group. */
export interface Discovery {
  /** Asks the server (a conditional request where it can). */
  read(signal?: AbortSignal): Promise<DiscoverySnapshot>;
  /** The resource of a kind, from what was read last; asks again, at most once a second, when it is not among it. */
  forKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<DiscoveredResource | undefined>;
}
