import type { CachedObject } from '@orch/cache';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { isLarge, parseJson, parseJsonInPieces } from '@orch/machinery/json';
import { encodeYaml, encodeYamlInPieces } from '@orch/machinery/yaml';
import { PAUSE } from '@orch/request';

/** The fields of a list other than its items; `metadata` is JSON. */
export interface ListHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: string;
}

export interface ListItems {
  readonly objects: readonly CachedObject[];
  /** JSON of an object in the served version. */
  jsonOf(object: CachedObject): Buffer;
}

const startOf = ({ apiVersion }: ListHead, { objects }: ListItems): Buffer =>
  Buffer.from(`apiVersion: ${apiVersion}\nitems:${objects.length === 0 ? ' []' : ''}\n`);

function endOf({ kind, metadata }: ListHead): Buffer {
  const lines = encodeYaml(JSON.parse(metadata)).replace(/^/gm, '  ').trimEnd();
  return Buffer.from(`kind: ${kind}\nmetadata:\n${lines}\n`);
}

const itemOf = (json: Buffer): Buffer => Buffer.from(encodeYaml([parseJson(json)]));

function* itemInPieces(json: Buffer): Work<Buffer> {
  return yield* encodeYamlInPieces([yield* parseJsonInPieces(json)]);
}

/** Bytes of JSON that are encoded between two pauses. */
const BYTES_PER_TURN = 32 * 1024;

/** A list in YAML, written item by item with pauses, so that neither memory nor the duration of one turn grows with the list. */
export function* yamlList(head: ListHead, items: ListItems): Generator<Buffer> {
  yield startOf(head, items);
  let bytes = 0;
  for (const object of items.objects) {
    yield itemOf(items.jsonOf(object));
    bytes += object.size;
    if (bytes < BYTES_PER_TURN) continue;
    yield PAUSE;
    bytes = 0;
  }
  yield endOf(head);
}

/** Like `yamlList`, with large objects among the others, which are encoded in turns. */
export async function* yamlListInTurns(
  head: ListHead,
  items: ListItems,
  turns: Turns,
): AsyncGenerator<Buffer> {
  yield startOf(head, items);
  for (const object of items.objects) {
    const json = items.jsonOf(object);
    yield isLarge(object.size) ? await turns.run(itemInPieces(json)) : itemOf(json);
  }
  yield endOf(head);
}
