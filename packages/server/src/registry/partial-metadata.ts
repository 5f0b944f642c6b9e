import type { CachedObject, Rendition } from '@orch/cache';
import { SliceWriter } from '../table/slice-writer.ts';
import { metadataSpan, type Span } from './json-slices.ts';

const COMMA = 0x2c;
const END_OBJECT = Buffer.from('}');
const END_LIST = Buffer.from(']}\n');

/** Where an object's metadata stands in its JSON, kept with it: two u32. */
const spanRendition: Rendition = {
  id: 'metadata-span',
  render(object) {
    const { start, end } = metadataSpan(object.json());
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeUInt32LE(start, 0);
    bytes.writeUInt32LE(end, 4);
    return bytes;
  },
};

function spanOf(object: CachedObject): Span {
  const bytes = object.rendition(spanRendition);
  return { start: bytes.readUInt32LE(0), end: bytes.readUInt32LE(4) };
}

/** Objects without anything but their metadata (facts: PartialObjectMetadata), cut out of their JSON. */
export class PartialMetadataWriter {
  readonly #head: Buffer;
  readonly #metaApiVersion: string;

  constructor(metaApiVersion: string) {
    this.#metaApiVersion = JSON.stringify(metaApiVersion);
    this.#head = Buffer.from(
      `{"kind":"PartialObjectMetadata","apiVersion":${this.#metaApiVersion},"metadata":`,
    );
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
      const { start, end } = spanOf(object);
      const full = out.reserve(this.#head.length + (end - start) + 2);
      if (full !== undefined) yield full;
      if (first) first = false;
      else out.byte(COMMA);
      out.copy(this.#head, 0, this.#head.length);
      out.copy(object.json(), start, end);
      out.copy(END_OBJECT, 0, 1);
    }
    const rest = out.flush();
    if (rest !== undefined) yield rest;
    yield END_LIST;
  }

  bookmark(metadata: object): Buffer {
    return Buffer.from(
      `{"kind":"PartialObjectMetadata","apiVersion":${this.#metaApiVersion},"metadata":${JSON.stringify(metadata)}}`,
    );
  }
}
