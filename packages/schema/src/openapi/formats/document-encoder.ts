import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { Dialect, JsonSchema } from '../json-schema/json-schema.ts';
import type { PathOperations } from '../operations/operation.ts';
import type { Encoded } from '../pieces/index.ts';

/** The text of a document before its paths, between paths and definitions, and after the definitions. */
export interface DocumentFrame {
  readonly head: Buffer;
  readonly between: Buffer;
  readonly tail: Buffer;
}

/** Sums of the bytes of all paths, and of all definitions, without separators. */
export interface ContentLengths {
  readonly paths: number;
  readonly definitions: number;
}

/**
 * The encoding of a document: one of the two versions, as JSON or as Protobuf. Its paths and definitions are written
 * one by one and joined at the end, so that nothing else of the document need be kept.
 */
export interface DocumentEncoder {
  readonly dialect: Dialect;
  path(path: PathOperations): Encoded;
  definition(name: string, definition: JsonSchema): Encoded;
  /** The same bytes as those of `definition`, in pieces. */
  definitionInPieces(name: string, definition: JsonSchema): Work<Encoded>;
  /** Separator of paths and of definitions; empty in Protobuf. */
  readonly separator: Encoded;
  frame(lengths: ContentLengths): DocumentFrame;
}

/** An encoder of version 2, in which documents of other servers are joined. */
export interface JoiningEncoder extends DocumentEncoder {
  /** A path of another server, as JSON. */
  foreignPath(path: string, item: JsonObject): Encoded;
}

/** The parts of a document that both encodings of a version have besides paths and definitions. */
export interface DocumentHead {
  readonly title: string;
  readonly version: string;
}

export const comma = ',';

/** A field of a JSON object. */
export const jsonEntry = (name: string, value: object): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** The frame of a JSON document. */
export const jsonFrame = (head: string, between: string, tail: string): DocumentFrame => ({
  head: Buffer.from(head),
  between: Buffer.from(between),
  tail: Buffer.from(tail),
});

/** A JSON object without its last brace, so that more fields can follow. */
export const jsonHead = (value: object): string => JSON.stringify(value).slice(0, -1);
