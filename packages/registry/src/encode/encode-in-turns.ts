import type { Turns, Work } from '@orch/machinery/concurrency';
import { parseJsonInPieces } from '@orch/machinery/json';
import { encodeYamlInPieces } from '@orch/machinery/yaml';
import { prettyChunks } from '@orch/request';
import { isLarge } from '../json/is-large.ts';
import type { ResponseFormat } from './response-format.ts';

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

/** Encodes a large object in turns: YAML and indented JSON in pieces, other formats in one. */
export async function encodeInTurns(turns: Turns, encoded: Encoded, format: ResponseFormat): Promise<Buffer> {
  await turns.begin();
  const { as, encoding } = format.representation;
  if (as !== 'plain' || encoding === 'protobuf') return encoded.atOnce();
  const json = encoded.json();
  return await turns.run(encoding === 'yaml' ? yamlOf(json) : prettyOf(json));
}

function* yamlOf(json: Buffer): Work<Buffer> {
  return yield* encodeYamlInPieces(yield* parseJsonInPieces(json));
}

function* prettyOf(json: Buffer): Work<Buffer> {
  const pretty: Buffer[] = [];
  for (const slice of prettyChunks(slicesOf(json))) {
    pretty.push(slice);
    yield;
  }
  return Buffer.concat(pretty);
}

function* slicesOf(json: Buffer): Generator<Buffer> {
  for (let at = 0; at < json.length; at += SLICE_BYTES) yield json.subarray(at, at + SLICE_BYTES);
}
