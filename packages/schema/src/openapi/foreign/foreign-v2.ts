import { createHash } from 'node:crypto';
import { asObject, isJsonObject, type JsonObject, jsonText, parseJson } from '@orch/machinery/json';
import type { JsonSchema } from '../json-schema/json-schema.ts';
import { Turns } from '../turns.ts';
import { REF, takenPath, takenSchema } from './foreign-fields.ts';

/** A path of another server, in version 2. It has only fields that the encodings of this server support. */
export interface ForeignPath {
  readonly path: string;
  readonly item: JsonObject;
}

/** The same of a definition. */
export interface ForeignDefinition {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Digest of the schema: equal schemas have the same. */
  readonly digest: string;
}

/** Paths and definitions of another server. */
export interface ForeignDocument {
  readonly paths: readonly ForeignPath[];
  readonly definitions: readonly ForeignDefinition[];
}

type ForeignEntry = ForeignPath | ForeignDefinition;

/**
 * The part of another server's version 2 document for the paths below `prefix`, with the definitions that they refer
 * to: one line of JSON for each. Fields that this server does not publish are left out. Rejects when the body is not
 * JSON. The document is parsed in one turn, and converted in many.
 */
export async function foreignLines(body: Uint8Array, prefix: string): Promise<readonly Buffer[]> {
  const document = asObject(parseJson(body));
  const lines: Buffer[] = [];
  const turns = new Turns();
  for (const entry of foreignEntries(document, prefix)) {
    const line = Buffer.from(`${jsonText(entry)}\n`);
    lines.push(line);
    await turns.processed(line.length);
  }
  return lines;
}

function* foreignEntries(document: JsonObject, prefix: string): Generator<ForeignEntry> {
  const parameters = asObject(document['parameters']);
  const definitions = asObject(document['definitions']);
  const found = new Set<string>();
  const open: string[] = [];
  const find = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    open.push(name);
  };
  for (const [path, value] of Object.entries(asObject(document['paths']))) {
    if (path !== prefix && !path.startsWith(`${prefix}/`)) continue;
    const item = takenPath(asObject(value), parameters);
    eachRef(item, find);
    yield { path, item };
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const own = Object.hasOwn(definitions, name) ? asObject(definitions[name]) : {};
    // Only fields of a schema were taken, each with a value of its type.
    const schema = takenSchema(own) as JsonSchema;
    eachRef(schema, find);
    yield { name, schema, digest: createHash('sha256').update(jsonText(schema)).digest('base64') };
  }
}

/** Reads the lines of `foreignLines`. */
export async function foreignDocument(lines: Buffer): Promise<ForeignDocument> {
  const paths: ForeignPath[] = [];
  const definitions: ForeignDefinition[] = [];
  const turns = new Turns();
  let at = 0;
  for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', at)) {
    const entry = parseJson(lines.subarray(at, end)) as ForeignEntry;
    if ('path' in entry) paths.push(entry);
    else definitions.push(entry);
    await turns.processed(end - at);
    at = end + 1;
  }
  return { paths, definitions };
}

/** Calls back with the name of each definition that a value refers to. */
export function eachRef(value: unknown, found: (name: string) => void): void {
  if (Array.isArray(value)) for (const item of value) eachRef(item, found);
  if (!isJsonObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const ref = referred(name, field);
    if (ref === undefined) eachRef(field, found);
    else found(ref);
  }
}

/** A copy of a value in which references have other names. */
export function withRefs(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, rename));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => {
    const ref = referred(name, field);
    return [name, ref === undefined ? withRefs(field, rename) : `${REF}${rename(ref)}`];
  });
  return Object.fromEntries(entries);
}

/** The name of the definition that a field refers to. */
const referred = (name: string, field: unknown): string | undefined =>
  name === '$ref' && typeof field === 'string' && field.startsWith(REF) ? field.slice(REF.length) : undefined;
