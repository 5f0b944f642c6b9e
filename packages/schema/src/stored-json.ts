import { encodeJson, isJsonObject, parseJson } from '@orch/machinery/json';
import { ByteScanner } from './byte-scanner.ts';

/**
 * Objects are stored without a resourceVersion, since it is the revision of the very write that stores them, and served
 * with one. Both versions are canonical JSON, so one becomes the other by putting a few bytes in.
 */
export interface ResourceVersionSplice {
  /** Bytes of the stored form up to here come first, */
  readonly offset: number;
  /** then this, the revision in decimal, and that, */
  readonly before: string;
  readonly after: string;
  /** then the bytes of the stored form from here on. Larger than `offset` when a value is replaced. */
  readonly resume: number;
}

const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSE = 0x7d;

const kindField = Buffer.from('{"kind":');
const apiVersionField = Buffer.from(',"apiVersion":');
const metadataField = Buffer.from(',"metadata":{');
const resourceVersion = Buffer.from('resourceVersion');

/** Fields of ObjectMeta before resourceVersion; all of them are strings. */
const earlier = ['name', 'generateName', 'namespace', 'selfLink', 'uid'].map((name) => Buffer.from(name));

/** Moves to the first field of `metadata`, when the bytes start in canonical form. */
export function enterMetadata(scanner: ByteScanner): boolean {
  return (
    scanner.accept(kindField) &&
    scanner.skipString() &&
    scanner.accept(apiVersionField) &&
    scanner.skipString() &&
    scanner.accept(metadataField)
  );
}

function isEarlier(scanner: ByteScanner): boolean {
  for (const name of earlier) if (scanner.is(name)) return true;
  return false;
}

/**
 * The position at which the resourceVersion is inserted into stored bytes. Reads only their beginning. Undefined when
 * that is not the canonical form `{"kind":…,"apiVersion":…,"metadata":{…`: then `withResourceVersion` parses them.
 */
export function resourceVersionSplice(stored: Buffer): ResourceVersionSplice | undefined {
  const scanner = new ByteScanner(stored);
  if (!enterMetadata(scanner)) return undefined;
  let offset = scanner.at;
  if (scanner.peek() === CLOSE) return { offset, before: '"resourceVersion":"', after: '"', resume: offset };
  for (;;) {
    if (!scanner.skipString()) return undefined;
    if (scanner.is(resourceVersion)) {
      offset = scanner.at + 1;
      if (!scanner.acceptByte(COLON) || !scanner.skipString()) return undefined;
      return { offset, before: '"', after: '"', resume: scanner.at };
    }
    if (!isEarlier(scanner)) return { offset, before: '"resourceVersion":"', after: '",', resume: offset };
    if (!scanner.acceptByte(COLON) || !scanner.skipString()) return undefined;
    offset = scanner.at;
    if (scanner.peek() === CLOSE)
      return { offset, before: ',"resourceVersion":"', after: '"', resume: offset };
    if (!scanner.acceptByte(COMMA)) return undefined;
    offset = scanner.at;
  }
}

const namesBefore: ReadonlySet<string> = new Set(earlier.map(String));

/** The slow path: any JSON object, in any order of fields. */
function reencode(stored: Buffer, revision: string): Buffer {
  const object = parseJson(stored);
  if (!isJsonObject(object)) throw new TypeError('stored value is not a JSON object');
  const { metadata } = object;
  const fields = isJsonObject(metadata)
    ? Object.entries(metadata).filter(([name]) => name !== 'resourceVersion')
    : [];
  const at = fields.findLastIndex(([name]) => namesBefore.has(name)) + 1;
  const entries: [string, unknown][] = fields.toSpliced(at, 0, ['resourceVersion', revision]);
  // fromEntries and spread define fields, so `__proto__` stays one among others.
  return encodeJson({ ...object, metadata: Object.fromEntries(entries) });
}

/**
 * The served form of a stored object: `"resourceVersion":"<revision>"` at its canonical place in the metadata, the
 * bytes else unchanged. Works on any JSON object, fast on canonical ones; throws a JsonSyntaxError on anything else. `splice`
 * is that of `stored`, where the caller knows it.
 */
export function withResourceVersion(
  stored: Buffer,
  revision: number,
  splice: ResourceVersionSplice | undefined = resourceVersionSplice(stored),
): Buffer {
  if (splice === undefined) return reencode(stored, String(revision));
  const inserted = splice.before + revision + splice.after;
  const size = stored.length + inserted.length - (splice.resume - splice.offset);
  const served = Buffer.allocUnsafe(size);
  stored.copy(served, 0, 0, splice.offset);
  served.write(inserted, splice.offset, 'latin1');
  stored.copy(served, splice.offset + inserted.length, splice.resume);
  return served;
}

/** Reports whether `served` is the served form of a stored object, without making that. `splice` as in `withResourceVersion`. */
export function isWithResourceVersion(
  served: Buffer,
  stored: Buffer,
  revision: number,
  splice: ResourceVersionSplice | undefined = resourceVersionSplice(stored),
): boolean {
  if (splice === undefined) return reencode(stored, String(revision)).equals(served);
  const { offset, resume, before, after } = splice;
  const inserted = before + revision + after;
  const end = offset + inserted.length;
  return (
    served.length === stored.length + end - resume &&
    served.compare(stored, 0, offset, 0, offset) === 0 &&
    served.compare(stored, resume, stored.length, end, served.length) === 0 &&
    served.toString('latin1', offset, end) === inserted
  );
}
