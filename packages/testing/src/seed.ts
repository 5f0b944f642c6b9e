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
  await createAll(client, definitions, signal);
  for (const { metadata } of definitions)
    await served({ client, env }, metadata.name ?? '', isServed, signal);
}

/**
 * The number of definitions whose kinds are served, after those that are being established. Rejects with the failures of
 * requests, and with `DeadlineExceeded`.
 */
export async function servedDefinitions(context: SeedContext, signal: AbortSignal): Promise<number> {
  const { items } = await definitionsOf(context).list({}, signal);
  const isDecided = (found: ApiObject | undefined): boolean =>
    found === undefined || isServed(found) || hasCondition(found, 'NamesAccepted', 'False');
  const all = items.map(async (item) =>
    isDecided(item) ? item : served(context, item.metadata.name, isDecided, signal),
  );
  return (await Promise.all(all)).filter(isServed).length;
}

const isServed = (found: ApiObject | undefined): boolean => hasCondition(found, 'Established');

const definitionsOf = ({ client }: SeedContext) => client.resource(kindOfDefinitions(client));

const kindOfDefinitions = (client: Client) =>
  builtinResources(client.names).apiextensions.v1.customresourcedefinitions;

const served = (
  { client, env }: SeedContext,
  name: string,
  is: (found: ApiObject | undefined) => boolean,
  signal: AbortSignal,
): Promise<ApiObject | undefined> =>
  waitFor<ApiObject>(
    { client, env, resource: kindOfDefinitions(client), name, is, timeoutMs: ESTABLISH_MS },
    signal,
  );

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
