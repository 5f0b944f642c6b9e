import { cborChunks } from '@orch/machinery/cbor';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { parseJsonInPieces } from '@orch/machinery/json';
import { encodeYamlInPieces } from '@orch/machinery/yaml';
import { prettyChunks } from '@orch/request';
import type { ResponseFormat } from './response-format.ts';

/** Bytes that are indented at once. */
const SLICE_BYTES = 64 * 1024;

/** Encodes a large object in pieces. */
export interface LargeObject {
  /** The JSON of the object, of its table or of its metadata. */
  json(): Work<Buffer>;
  protobuf(): Work<Buffer>;
}

/** Encodes a large object in turns. */
export async function encodeInTurns(
  turns: Turns,
  object: LargeObject,
  { pretty, representation }: ResponseFormat,
): Promise<Buffer> {
  await turns.begin();
  if (representation.encoding === 'protobuf') return await turns.run(object.protobuf());
  const json = await turns.run(object.json());
  switch (representation.encoding) {
    case 'yaml':
      return await turns.run(yamlOf(json));
    case 'cbor':
      return await turns.run(joined(cborChunks(slicesOf(json))));
    case 'json':
      return pretty ? await turns.run(joined(prettyChunks(slicesOf(json)))) : json;
  }
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
