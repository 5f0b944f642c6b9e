import type { DiscoveredResource } from '@orch/client';

/**
 * Finds resources by the names that users type. Those read by an earlier command are used until a name is not found
 * among them.
 */
export interface ResourceMapper {
  /**
   * The resource of `pods`, `pod`, `po`, `Pod`, `deployments.apps`, `deployments.v1.apps`. In any letter case. Rejects with a
   * `CommandError` when there is none.
   */
  named(name: string): Promise<DiscoveredResource>;
  /** The resources of a category, such as `all`; empty when there is no such category. */
  category(name: string): Promise<readonly DiscoveredResource[]>;
  /** The resource of the objects of a kind. Rejects with a `CommandError` when there is none. */
  ofKind(apiVersion: string, kind: string): Promise<DiscoveredResource>;
  /** Discards the known resources after definitions have changed. */
  refresh(): void;
  /** All resources, which an earlier command may have read. */
  known(): Promise<{ readonly preferred: readonly DiscoveredResource[] }>;
  /** All resources that the server serves now, with groups whose servers do not answer. */
  all(): Promise<{
    readonly preferred: readonly DiscoveredResource[];
    readonly all: readonly DiscoveredResource[];
    readonly failed: ReadonlyMap<string, string>;
  }>;
}
