import { type ApiObject, builtinResources, type Client, type Env, hasCondition, waitFor } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';

/** Maximum time until a server serves a definition. */
const ESTABLISH_MS = 30_000;

interface SeedContext {
  readonly client: Client;
  readonly env: Env;
}

/** Creates definitions and resolves when their kinds are served. Rejects with the failures of requests. */
export async function serveDefinitions(
  { client, env }: SeedContext,
  definitions: readonly ApiObject[],
  signal: AbortSignal,
): Promise<void> {
  const { customresourcedefinitions: resource } = builtinResources(client.names).apiextensions.v1;
  await createAll(client, definitions, signal);
  for (const { metadata } of definitions) {
    const name = metadata.name ?? '';
    const is = (found: ApiObject | undefined): boolean => hasCondition(found, 'Established');
    await waitFor({ client, env, resource, name, is, timeoutMs: ESTABLISH_MS }, signal);
  }
}

/** Creates objects in order. Rejects with the first failure, and with a TypeError for a kind that is not served. */
export async function createAll(
  client: Client,
  objects: readonly ApiObject[],
  signal: AbortSignal,
): Promise<void> {
  if (objects.length === 0) return;
  const { all } = await client.discovery.read(signal);
  for (const object of objects) {
    const { apiVersion = '', kind = '', metadata } = object;
    const resource = all.find((one) => one.kind === kind && formatApiVersion(one) === apiVersion);
    if (resource === undefined)
      throw new TypeError(
        `${kind} of ${apiVersion} is not served: ${metadata.name ?? 'an object'} cannot be made`,
      );
    const namespace = resource.namespaced ? (metadata.namespace ?? 'default') : undefined;
    await client.resource(resource, namespace).create(object, {}, signal);
  }
}
