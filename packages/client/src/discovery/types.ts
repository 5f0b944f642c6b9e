import type { Resource } from '../rest/types.ts';

/** A resource as the server describes it. */
export interface DiscoveredResource extends Resource {
  /** Singular name; empty when the server does not report it. */
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Names of its subresources: `status`, `scale`. */
  readonly subresources: readonly string[];
}

/** The result of discovery; group versions whose servers did not respond are in `failed`. */
export interface DiscoverySnapshot {
  /** The resources of every served version of every group. */
  readonly all: readonly DiscoveredResource[];
  /** Each resource once, in the preferred version of its group. */
  readonly preferred: readonly DiscoveredResource[];
  /** `apiVersion` of failed parts, with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

/** The resources of a server. Reads the aggregated form where it is served, otherwise group by group. */
export interface Discovery {
  /** Requests discovery from the server, conditionally if possible. */
  read(signal?: AbortSignal): Promise<DiscoverySnapshot>;
  /** The resource of a kind, from the last discovery; an unknown kind causes a new one, at most once per second. */
  forKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<DiscoveredResource | undefined>;
}
