import type { Client, DiscoverySnapshot } from '@orch/client';
import { ApiError, messageOf } from '@orch/machinery';

/** The resources whose objects make others served. */
const sources: ReadonlySet<string> = new Set(['customresourcedefinitions', 'apiservices']);

/**
 * The resources of which definitions or API services cannot be read, with the reason: kinds may be missing in discovery, and the
 * namespace may contain objects of them.
 */
export async function unreadableKinds(
  client: Client,
  { preferred }: DiscoverySnapshot,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const resource of preferred) {
    if (resource.namespaced || !sources.has(resource.resource)) continue;
    try {
      await client.metadata(resource).list({ limit: 1 }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A server that refuses the list, or does not have the resource, gives no information about its objects.
      const { code = 0 } = error instanceof ApiError ? error.status : {};
      if (code < 400 || code >= 500) found.set(`${resource.resource}.${resource.group}`, messageOf(error));
    }
  }
  return found;
}
