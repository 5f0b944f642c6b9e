import type { CachedObject, ObjectEncoder } from '@orch/cache';
import { ownBytes } from '@orch/machinery';
import { metadataSpan, type Span } from '../json/json-slices.ts';
import { SliceWriter } from '../table/index.ts';

const COMMA = 0x2c;
const END_OBJECT = Buffer.from('}');
const END_LIST = Buffer.from(']}\n');

/** The offsets of an object's metadata in its JSON, cached with the object: two u32. */
const spanEncoder = (id: string, jsonOf: (object: CachedObject) => Buffer): ObjectEncoder => ({
  id: `metadata-span${id}`,
  encode(object) {
    const { start, end } = metadataSpan(jsonOf(object));
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeUInt32LE(start, 0);
    bytes.writeUInt32LE(end, 4);
    return bytes;
  },
});

/** Writes only the metadata of objects (facts: PartialObjectMetadata), copied from their JSON. */
export class PartialMetadataWriter {
  readonly #head: Buffer;
  readonly #metaApiVersion: string;
  readonly #jsonOf: (object: CachedObject) => Buffer;
  readonly #span: ObjectEncoder;

  /** `encoder` encodes the JSON that contains the metadata, when that is not the JSON of the hub. */
  constructor(metaApiVersion: string, encoder: ObjectEncoder | undefined) {
    this.#jsonOf = (object) => (encoder === undefined ? object.json() : object.encoded(encoder));
    this.#span = spanEncoder(encoder === undefined ? '' : ` ${encoder.id}`, this.#jsonOf);
    this.#metaApiVersion = JSON.stringify(metaApiVersion);
    this.#head = ownBytes(`{"kind":"PartialObjectMetadata","apiVersion":${this.#metaApiVersion},"metadata":`);
  }

  one(json: Buffer): Buffer {
    const { start, end } = metadataSpan(json);
    return Buffer.concat([this.#head, json.subarray(start, end), END_OBJECT]);
  }

  /** Slices of a list. `metadata` is the JSON of its list metadata. */
  *list(objects: Iterable<CachedObject>, metadata: string): Generator<Buffer> {
    yield Buffer.from(
      `{"kind":"PartialObjectMetadataList","apiVersion":${this.#metaApiVersion},"metadata":${metadata},"items":[`,
    );
    const out = new SliceWriter();
    let first = true;
    for (const object of objects) {
      const { start, end } = this.#spanOf(object);
      const full = out.reserve(this.#head.length + (end - start) + 2);
      if (full !== undefined) yield full;
      if (first) first = false;
      else out.byte(COMMA);
      out.copy(this.#head, 0, this.#head.length);
      out.copy(this.#jsonOf(object), start, end);
      out.copy(END_OBJECT, 0, 1);
    }
    const rest = out.flush();
    if (rest !== undefined) yield rest;
    yield END_LIST;
  }

  #spanOf(object: CachedObject): Span {
    const bytes = object.encoded(this.#span);
    return { start: bytes.readUInt32LE(0), end: bytes.readUInt32LE(4) };
  }

  bookmark(metadata: object): Buffer {
    return Buffer.from(
      `{"kind":"PartialObjectMetadata","apiVersion":${this.#metaApiVersion},"metadata":${JSON.stringify(metadata)}}`,
    );
  }
}
