import type { JsonObject } from '@orch/machinery';
import type { Dialect, JsonSchema } from './json-schema.ts';
import type { PathOperations } from './operation.ts';

/**
 * How a document is written: in one of the two versions, as JSON or as Protobuf. Its parts are written one by one and
 * joined at the end, so that nothing else of the document need be kept.
 */
export interface DocumentEncoder {
  readonly dialect: Dialect;
  path(path: PathOperations): Buffer;
  definition(name: string, definition: JsonSchema): Buffer;
  /** The document of these paths and definitions, in this order. */
  document(paths: readonly Buffer[], definitions: readonly Buffer[]): Buffer;
}

/** An encoder of version 2, in which documents of other servers are joined. */
export interface JoiningEncoder extends DocumentEncoder {
  /** A path of another server, as JSON. */
  foreignPath(path: string, item: JsonObject): Buffer;
}

/** The parts of a document that both encodings of a version have beside paths and definitions. */
export interface DocumentHead {
  readonly title: string;
  readonly version: string;
}

const comma = Buffer.from(',');

/** A field of a JSON object. */
export const jsonEntry = (name: string, value: object): Buffer =>
  Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`);

/** Puts lists of fields between the texts around them. */
export function jsonDocument(
  [head, between, tail]: readonly [string, string, string],
  paths: readonly Buffer[],
  definitions: readonly Buffer[],
): Buffer {
  const listed = (entries: readonly Buffer[]): Buffer[] =>
    entries.flatMap((entry, i) => (i === 0 ? [entry] : [comma, entry]));
  return Buffer.concat([
    Buffer.from(head),
    ...listed(paths),
    Buffer.from(between),
    ...listed(definitions),
    Buffer.from(tail),
  ]);
}

/** A JSON object without its last brace, so that more fields can follow. */
export const jsonHead = (value: object): string => JSON.stringify(value).slice(0, -1);
