import { ApiError, type ApiObject, formatApiVersion } from '@orch/machinery';
import { asText, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import { RefusedRequest } from '../rest/refused-request.ts';
import type { ApplyOptions, Resource } from '../rest/types.ts';
import { isTransportError, TransportError } from '../transport/transport.ts';

/** How objects of any kinds are applied. */
export interface ApplyObjectsOptions extends ApplyOptions {
  /** The namespace of objects without one; `default` when absent. */
  readonly namespace?: string;
  /** Called with each object once it is applied: a failure of a later one leaves it. */
  readonly onApplied?: (object: ApiObject) => void;
}

/** An object that is applied, with its place for messages. */
export interface PlacedObject {
  readonly object: JsonObject;
  /** `document 2 at line 7 (ConfigMap "a")`. */
  readonly place: string;
}

/**
 * Applies objects of any kinds on the server, in order, and returns the results in that order; lists of kind `List` are replaced by
 * their items. All objects are checked before the first request: each must have a kind, an apiVersion and a name. The first failure
 * ends the call, and its message names the object by its number, from 1: the objects before it are applied then.
 */
export function applyObjects(
  client: Client,
  objects: readonly object[],
  options: ApplyObjectsOptions,
  signal?: AbortSignal,
): Promise<readonly ApiObject[]> {
  const placed = (): readonly PlacedObject[] =>
    objects.flatMap((object, i) => placedObjects(object, `object ${i + 1}`));
  return applyPlaced(client, placed, options, signal);
}

/** Applies the objects that a function finds. Rejects as `applyObjects`, and with the error of the function. */
export async function applyPlaced(
  client: Client,
  find: () => readonly PlacedObject[] | Promise<readonly PlacedObject[]>,
  { namespace = 'default', onApplied, ...how }: ApplyObjectsOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ApiObject[]> {
  const applied: ApiObject[] = [];
  for (const { object, place } of await find()) {
    try {
      const resource = await resourceOf(client, object, signal);
      const metadata = objectAt(object, 'metadata');
      const within = resource.namespaced ? asText(metadata['namespace']) || namespace : undefined;
      const { patch } = client.resource(resource, within);
      const result = await patch.apply(asText(metadata['name']), object, how, signal);
      applied.push(result);
      onApplied?.(result);
    } catch (error) {
      throw inPlace(error, place);
    }
  }
  return applied;
}

/** The objects of a value, checked. Throws for an object that cannot be applied. */
export const placedObjects = (value: unknown, place: string): readonly PlacedObject[] =>
  itemsOf(value, place).map((object) => ({ object, place: named(object, place) }));

/** The items of a `List`, otherwise the object. */
function itemsOf(value: unknown, place: string): readonly JsonObject[] {
  if (!isJsonObject(value)) throw new RefusedRequest(`${place}: must be an object`);
  if (value['kind'] !== 'List' || !Array.isArray(value['items'])) return [value];
  return value['items'].flatMap((item: unknown) => itemsOf(item, place));
}

/** The place of an object with its name. Throws for an object that cannot be applied. */
function named(object: JsonObject, place: string): string {
  const fields = { apiVersion: object['apiVersion'], kind: object['kind'] };
  const { name } = objectAt(object, 'metadata');
  for (const [field, value] of Object.entries({ ...fields, 'metadata.name': name }))
    if (typeof value !== 'string' || value === '')
      throw new RefusedRequest(`${place}: ${field}: must be a string`);
  return `${place} (${asText(fields.kind)} ${JSON.stringify(name)})`;
}

async function resourceOf(client: Client, object: JsonObject, signal: AbortSignal): Promise<Resource> {
  const [apiVersion, kind] = [asText(object['apiVersion']), asText(object['kind'])];
  const known = await client.discovery.forKind(apiVersion, kind, signal);
  if (known !== undefined) return known;
  // An object before may have defined it, since the last discovery.
  const { all } = await client.discovery.read(signal);
  const found = all.find((one) => one.kind === kind && formatApiVersion(one) === apiVersion);
  if (found === undefined) throw new RefusedRequest(`${kind} of ${apiVersion} is not served`);
  return found;
}

/** The failure with the place in its message. */
function inPlace(error: unknown, place: string): unknown {
  if (error instanceof RefusedRequest)
    return new RefusedRequest(`${place}: ${error.message}`, { cause: error });
  if (error instanceof ApiError) return error.ending(` (${place})`);
  if (isTransportError(error))
    return new TransportError(error.outcome, `${place}: ${error.message}`, { cause: error });
  return error;
}
