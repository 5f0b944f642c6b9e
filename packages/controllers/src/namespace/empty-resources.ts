import type { Client, DiscoveredResource } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';
import { asObject, asStrings } from '@orch/machinery/json';

/** What a server knows about the content of a namespace. */
export interface KnownContent {
  /** Whether the namespace certainly has no objects, of all resources that discovery may name. */
  readonly hasNone: boolean;
  /** Reports whether a resource certainly has no objects. */
  isEmpty(resource: DiscoveredResource): boolean;
  /** Whether the definitions and API services can certainly be read. */
  readonly isComplete: boolean;
}

const unknown: KnownContent = { hasNone: false, isEmpty: () => false, isComplete: false };

/**
 * Asks the server once, in place of a list of each resource. A server that does not have the path, or fails, knows nothing. Rejects only
 * with the reason of the signal.
 */
export async function knownContent(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<KnownContent> {
  const target = `/empty-resources?namespace=${encodeURIComponent(namespace)}`;
  const headers = { accept: 'application/json' };
  try {
    const answer = asObject(await client.raw({ method: 'GET', target, headers }, signal));
    const { empty, isComplete } = answer;
    const resources = new Set(
      Object.entries(asObject(empty)).flatMap(([apiVersion, names]) =>
        asStrings(names).map((resource) => `${apiVersion} ${resource}`),
      ),
    );
    return {
      hasNone: answer['isEmpty'] === true,
      isEmpty: (resource) => resources.has(`${formatApiVersion(resource)} ${resource.resource}`),
      isComplete: isComplete === true,
    };
  } catch {
    signal.throwIfAborted();
    return unknown;
  }
}
