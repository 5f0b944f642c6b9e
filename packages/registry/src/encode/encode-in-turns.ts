import { cborChunks } from '@orch/machinery/cbor';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { parseJsonInPieces } from '@orch/machinery/json';
import { encodeYamlInPieces } from '@orch/machinery/yaml';
import { prettyChunks } from '@orch/request';
import type { ResponseFormat } from './response-format.ts';

/** Each stage of work on so many bytes takes a millisecond or more. */
const LARGE_BYTES = 64 * 1024;

/**
 * Whether the stages of work on an object of so many bytes are done in separate turns, between which other requests are
 * served. The stages of smaller ones together take less time than a turn.
 */
export const isLarge = (bytes: number): boolean => bytes >= LARGE_BYTES;

/** Bytes that are indented at once. */
const SLICE_BYTES = 64 * 1024;

/** Whether the encoding of an object of so many bytes of JSON takes long: it is more than a copy. */
export const isLongEncoding = (bytes: number, { pretty, representation }: ResponseFormat): boolean =>
  isLarge(bytes) && (pretty || representation.encoding !== 'json' || representation.as !== 'plain');

/** How the format of an object is made from its JSON. */
export interface Encoded {
  /** The JSON in the served version. */
  json(): Buffer;
  /** The object in the format. */
  atOnce(): Buffer;
}

/** Encodes a large object in turns: YAML, CBOR and indented JSON in pieces, other formats in one. */
export async function encodeInTurns(turns: Turns, encoded: Encoded, format: ResponseFormat): Promise<Buffer> {
  await turns.begin();
  const { as, encoding } = format.representation;
  if (as !== 'plain' || encoding === 'protobuf') return encoded.atOnce();
  const json = encoded.json();
  if (encoding === 'yaml') return await turns.run(yamlOf(json));
  return await turns.run(joined((encoding === 'cbor' ? cborChunks : prettyChunks)(slicesOf(json))));
}

function* yamlOf(json: Buffer): Work<Buffer> {
  return yield* encodeYamlInPieces(yield* parseJsonInPieces(json));
}

function* joined(slices: Iterable<Buffer>): Work<Buffer> {
  const all: Buffer[] = [];
  for (const slice of slices) {
    all.push(slice);
    yield;
  }
  return Buffer.concat(all);
}

function* slicesOf(json: Buffer): Generator<Buffer> {
  for (let at = 0; at < json.length; at += SLICE_BYTES) yield json.subarray(at, at + SLICE_BYTES);
}
