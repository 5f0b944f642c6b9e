import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { leadingLines, parseYaml, type TextPart, YamlSyntaxError, yamlDocuments } from '@orch/machinery/yaml';
import { loadConfig } from '../connect/load-config.ts';
import { createClient } from '../create-client.ts';
import { apiextensionsV1CustomResourceDefinition } from '../types/resources.ts';
import { type Definition, DefinitionError, isDefinition, readDefinition } from './definition.ts';

/** Sources have at most this size, and each YAML document in them. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** The time for a whole file from a URL. */
const READ_MS = 60_000;

/** The parts of a process that sources name. */
export interface SourceInput {
  /** Environment variables, which name the client configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly input: AsyncIterable<Uint8Array>;
}

/** A definition and the place where it is. */
export interface FoundDefinition {
  readonly definition: Definition;
  /** `crds.yaml: document 2 at line 7`. */
  readonly place: string;
}

/** The definitions in all sources, in their order. Throws a DefinitionError with the source, the document and the field. */
export async function definitionsOf(
  sources: readonly string[],
  input: SourceInput,
): Promise<readonly FoundDefinition[]> {
  const found: FoundDefinition[] = [];
  for (const source of sources) {
    const own = source === 'cluster' ? await ofCluster(input) : ofText(await textOf(source, input), source);
    if (own.length === 0)
      throw new DefinitionError(`${shown(source)}: has no definition of a custom resource`);
    found.push(...own);
  }
  return found;
}

/** The text of a file, of a URL or of the standard input. */
async function textOf(source: string, { folder, input }: SourceInput): Promise<string> {
  try {
    if (source === '-') return await readAll(input);
    if (/^https?:/i.test(source)) return await readAll(await bodyOf(source));
    const file = await open(resolve(folder, source));
    return await readAll(file.createReadStream());
  } catch (cause) {
    throw new DefinitionError(`${shown(source)}: ${reasonOf(cause)}`, { cause });
  }
}

const shown = (source: string): string => (source === '-' ? 'standard input' : source);

/**
 * The reason without the name of the source, which is known: a failed fetch has it in its cause, and a file between the
 * code and the call of the system.
 */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
    return 'is a folder; name its files, such as FOLDER/*.yaml';
  const text = messageOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
  return /^E[A-Z]+: (.+?), \w+(?: '.*')?$/.exec(text)?.[1] ?? text;
}

async function bodyOf(url: string): Promise<AsyncIterable<Uint8Array>> {
  if (/^http:/i.test(url)) throw new Error('the URL must be https');
  const response = await fetch(url, { signal: AbortSignal.timeout(READ_MS) });
  if (!response.url.startsWith('https:'))
    throw new Error(`the server redirects to ${new URL(response.url).origin}, which is not encrypted`);
  if (!response.ok || response.body === null)
    throw new Error(`the server responded with status ${response.status}`);
  return response.body;
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`has more than ${MAX_BYTES} bytes`);
    all.push(chunk);
  }
  return Buffer.concat(all).toString('utf8');
}

/** The definitions in a text with several documents; other objects are left out. */
function ofText(text: string, source: string): readonly FoundDefinition[] {
  let number = 1;
  return yamlDocuments(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).flatMap((part) => {
    const document = `${shown(source)}: document ${number}`;
    const value = yamlValue(part, document);
    // An empty document, such as the one before the first separator, has no number.
    if (value === null) return [];
    number++;
    const place = `${document} at line ${part.line + leadingLines(part.text)}`;
    return definitionsIn(value).map((object) => ({ definition: read(object, place), place }));
  });
}

function yamlValue({ line, text }: TextPart, document: string): unknown {
  try {
    return parseYaml(Buffer.from(text), { maxBytes: MAX_DOCUMENT_BYTES });
  } catch (cause) {
    if (!(cause instanceof YamlSyntaxError)) throw cause;
    throw new DefinitionError(`${document} at line ${line + cause.line - 1}: ${cause.problem}`, { cause });
  }
}

/** The definitions in a document: itself, or items of a list. */
function definitionsIn(value: unknown): readonly JsonObject[] {
  if (isDefinition(value)) return [value];
  if (!isJsonObject(value) || !Array.isArray(value['items'])) return [];
  return value['items'].flatMap(definitionsIn);
}

function read(object: JsonObject, place: string): Definition {
  try {
    return readDefinition(object);
  } catch (cause) {
    if (!(cause instanceof DefinitionError)) throw cause;
    throw new DefinitionError(`${place}: ${cause.message}`, { cause });
  }
}

/** The definitions of the server of the current client configuration. */
async function ofCluster({ environment }: SourceInput): Promise<readonly FoundDefinition[]> {
  try {
    const client = createClient(await loadConfig({ environment }));
    try {
      const found: FoundDefinition[] = [];
      for await (const { items } of client
        .resource(apiextensionsV1CustomResourceDefinition(client.names))
        .pages({ limit: 50 }))
        for (const item of items) {
          const place = `cluster: ${item.metadata.name}`;
          found.push({ definition: read({ ...item }, place), place });
        }
      return found;
    } finally {
      await client.transport.close();
    }
  } catch (cause) {
    if (cause instanceof DefinitionError) throw cause;
    throw new DefinitionError(`cluster: ${messageOf(cause)}`, { cause });
  }
}
