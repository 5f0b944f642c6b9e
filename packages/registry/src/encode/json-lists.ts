import { type CachedObject, encodeItems, type ObjectEncoder } from '@orch/cache';
import { cborChunks } from '@orch/machinery/cbor';
import { type ChunksReply, PAUSE, prettyChunks } from '@orch/request';
import type { ResponseFormat } from './response-format.ts';

/** The body of a list response. */
export type EncodedList = Pick<ChunksReply, 'chunks' | 'length'>;

export const END_LIST = Buffer.from(']}\n');

/** A list of slices that are in the served version. */
export function convertedList(head: Buffer, slices: readonly Buffer[]): EncodedList {
  const chunks = [head, ...slices, END_LIST];
  return { chunks, length: chunks.reduce((length, chunk) => length + chunk.length, 0) };
}

/** Slices of a list in JSON. */
export function* jsonChunks(
  head: Buffer,
  objects: readonly CachedObject[],
  encoder: ObjectEncoder | undefined,
): Generator<Buffer> {
  yield head;
  yield* encodeItems(objects, encoder);
  yield END_LIST;
}

/** Objects converted between two pauses: some milliseconds, when none of them is in the cache. */
export const OBJECTS_PER_TURN = 128;

/** Converts all objects, with pauses, before the first slice of the list: slices are copied from the cached encodings. */
export function* inTurns(
  objects: readonly CachedObject[],
  encoder: ObjectEncoder,
  chunks: Iterable<Buffer>,
): Generator<Buffer> {
  for (const [i, object] of objects.entries()) {
    object.encoded(encoder);
    if (i % OBJECTS_PER_TURN === OBJECTS_PER_TURN - 1) yield PAUSE;
  }
  yield* chunks;
}

/** The slices of a JSON document in the encoding of a format: indented, or as CBOR. */
export function inFormat(
  chunks: Iterable<Buffer>,
  { pretty, representation }: ResponseFormat,
): Iterable<Buffer> {
  if (representation.encoding === 'cbor') return cborChunks(chunks);
  return pretty ? prettyChunks(chunks) : chunks;
}
