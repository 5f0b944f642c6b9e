import { ApiError, type ApiObject, formatApiVersion } from '@orch/machinery';
import { asText, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import { RefusedRequest } from '../rest/refused-request.ts';
import type { ApplyOptions, Resource } from '../rest/types.ts';
import { TransportError } from '../transport/transport.ts';

/** How the objects of a text are applied. */
export interface ApplyYamlOptions extends ApplyOptions {
  /** The namespace of objects without one; `default` when absent. */
  readonly namespace?: string;
}

/** An object of a text, with its document for messages. */
interface TextObject {
  readonly object: JsonObject;
  /** `document 2 at line 7 (ConfigMap "a")`. */
  readonly place: string;
}

/**
 * Applies the objects of a YAML text on the server, in order, and returns the results in that order. The text may have several
 * documents; lists of kind `List` are replaced by their items. All documents are read before the first request. The first
 * failure ends the call, and its message names the document: the documents before it are applied then.
 */
export async function applyYaml(
  client: Client,
  text: string,
  options: ApplyYamlOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ApiObject[]> {
  const objects = await objectsIn(text);
  const { namespace = 'default', ...how } = options;
  const applied: ApiObject[] = [];
  for (const { object, place } of objects) {
    try {
      const resource = await resourceOf(client, object, signal);
      const metadata = objectAt(object, 'metadata');
      const within = resource.namespaced ? asText(metadata['namespace']) || namespace : undefined;
      const { patch } = client.resource(resource, within);
      applied.push(await patch.apply(asText(metadata['name']), object, how, signal));
    } catch (error) {
      throw inDocument(error, place);
    }
  }
  return applied;
}

async function objectsIn(text: string): Promise<readonly TextObject[]> {
  // Loaded on first use: it takes longer to load than the rest of the client.
  const { leadingLines, parseYaml, YamlSyntaxError, yamlDocuments } = await import('@orch/machinery/yaml');
  const documents = yamlDocuments(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const found: TextObject[] = [];
  let number = 0;
  for (const part of documents) {
    let value: unknown;
    try {
      value = parseYaml(Buffer.from(part.text));
    } catch (cause) {
      if (!(cause instanceof YamlSyntaxError)) throw cause;
      const line = part.line + cause.line - 1;
      throw new RefusedRequest(`document ${number + 1} at line ${line}: ${cause.problem}`, { cause });
    }
    if (value === null) continue;
    const place = `document ${++number} at line ${part.line + leadingLines(part.text)}`;
    for (const object of itemsOf(value, place)) found.push({ object, place: named(object, place) });
  }
  return found;
}

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
  // A document before may have defined it, since the last discovery.
  const { all } = await client.discovery.read(signal);
  const found = all.find((one) => one.kind === kind && formatApiVersion(one) === apiVersion);
  if (found === undefined) throw new RefusedRequest(`${kind} of ${apiVersion} is not served`);
  return found;
}

/** The failure with the document in its message. */
function inDocument(error: unknown, place: string): unknown {
  if (error instanceof RefusedRequest)
    return new RefusedRequest(`${place}: ${error.message}`, { cause: error });
  if (error instanceof ApiError) return error.ending(` (${place})`);
  if (error instanceof TransportError)
    return new TransportError(error.outcome, `${place}: ${error.message}`, { cause: error });
  return error;
}
