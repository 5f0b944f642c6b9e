import { isJsonObject, parseJson, setField } from '@orch/machinery/json';
import { ByteScanner } from './byte-scanner.ts';
import { enterMetadata } from './stored-json.ts';

/** The metadata of an object that selectors and indexes use. */
export interface PeekedMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly creationTimestamp: string | undefined;
  readonly deletionTimestamp: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Fields of ObjectMeta in canonical order as far as they matter; what comes after labels ends the scan. */
const order = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'clusterName',
  'managedFields',
] as const;
const orderBytes = order.map((name) => Buffer.from(name));
const labelsRank = order.indexOf('labels');

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

/** Position in `order` of the field name last skipped, not before `from`; -1 when it is not there. */
function rankOf(scanner: ByteScanner, from: number): number {
  for (let rank = from; rank < orderBytes.length; rank++)
    if (scanner.is(orderBytes[rank] as Buffer)) return rank;
  return -1;
}

/** Reads a map of strings; undefined when it is not one. */
function readLabels(scanner: ByteScanner): Record<string, string> | undefined {
  if (!scanner.acceptByte(OPEN)) return undefined;
  const labels: Record<string, string> = {};
  if (scanner.acceptByte(CLOSE)) return labels;
  do {
    if (!scanner.skipString()) return undefined;
    const key = scanner.text();
    if (!scanner.acceptByte(COLON) || !scanner.skipString()) return undefined;
    setField(labels, key, scanner.text());
  } while (scanner.acceptByte(COMMA));
  return scanner.acceptByte(CLOSE) ? labels : undefined;
}

/** Reads canonical bytes as far as the labels; undefined when they are not canonical. */
function scan(stored: Buffer): PeekedMeta | undefined {
  const scanner = new ByteScanner(stored);
  if (!enterMetadata(scanner)) return undefined;
  const strings: (string | undefined)[] = [];
  let labels: Record<string, string> | undefined;
  let rank = -1;
  while (scanner.peek() !== CLOSE) {
    if (rank >= 0 && !scanner.acceptByte(COMMA)) return undefined;
    if (!scanner.skipString()) return undefined;
    rank = rankOf(scanner, rank + 1);
    if (rank < 0) return undefined;
    if (rank > labelsRank) break;
    if (!scanner.acceptByte(COLON)) return undefined;
    if (rank === labelsRank) {
      labels = readLabels(scanner);
      if (labels === undefined) return undefined;
    } else if (scanner.peek() === QUOTE) {
      if (!scanner.skipString()) return undefined;
      strings[rank] = scanner.text();
    } else if (!scanner.skipWord()) return undefined;
  }
  return {
    name: strings[0] ?? '',
    namespace: strings[2] ?? '',
    uid: strings[4] ?? '',
    creationTimestamp: strings[7],
    deletionTimestamp: strings[8],
    labels: labels ?? noLabels,
  };
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function readWhole(stored: Buffer): PeekedMeta {
  const object = parseJson(stored);
  const metadata = isJsonObject(object) && isJsonObject(object['metadata']) ? object['metadata'] : {};
  const labels: Record<string, string> = {};
  if (isJsonObject(metadata['labels'])) {
    for (const [key, value] of Object.entries(metadata['labels'])) {
      if (typeof value === 'string') setField(labels, key, value);
    }
  }
  return {
    name: stringOf(metadata['name']) ?? '',
    namespace: stringOf(metadata['namespace']) ?? '',
    uid: stringOf(metadata['uid']) ?? '',
    creationTimestamp: stringOf(metadata['creationTimestamp']),
    deletionTimestamp: stringOf(metadata['deletionTimestamp']),
    labels,
  };
}

/**
 * The metadata of a stored or served object that selectors and indexes need, without parsing the whole. Reads canonical
 * bytes only up to the labels, so corruption after them goes unnoticed; any other form of JSON object is parsed, and
 * anything else throws a JsonSyntaxError.
 */
export const peekMeta = (stored: Buffer): PeekedMeta => scan(stored) ?? readWhole(stored);
