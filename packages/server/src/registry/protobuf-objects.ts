import type { CachedObject, Rendition } from '@orch/cache';
import { EnvelopeWriter, fieldHead } from '@orch/schema';
import { frameChunk } from '../http/chunk-frame.ts';
import type { ChunksReply } from '../pipeline/types.ts';
import { SliceWriter } from '../table/slice-writer.ts';

export interface ProtobufObjectsOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Of the cached form; the same for versions that have the same messages. */
  readonly renditionId: string;
  /** The field of an envelope, and of a list, that holds the object with this JSON. */
  fieldOf(json: Buffer): Buffer;
}

/** Numbers of the fields of WatchEvent and RawExtension. */
const TYPE = 1;
const OBJECT = 2;
const RAW = 1;

/** Objects encoded in one turn of the event loop: some milliseconds, when none of them is in the cache. */
const OBJECTS_PER_TURN = 256;

/**
 * Objects of one kind as they go out in Protobuf (spec 2.7; facts: envelope, watchStream). Each is encoded once and kept
 * with the cached object, in the very field that it takes in an envelope and in a list.
 */
export class ProtobufObjects {
  readonly #options: ProtobufObjectsOptions;
  readonly #envelope: EnvelopeWriter;
  readonly #listEnvelope: EnvelopeWriter;
  readonly #rendition: Rendition;

  constructor(options: ProtobufObjectsOptions) {
    const { kind, apiVersion, renditionId } = options;
    this.#options = options;
    this.#envelope = new EnvelopeWriter(kind, apiVersion);
    this.#listEnvelope = new EnvelopeWriter(`${kind}List`, apiVersion);
    this.#rendition = {
      id: `protobuf ${renditionId}`,
      render: (object) => options.fieldOf(object.json()),
    };
  }

  /** One object, given as JSON. */
  one(json: Buffer): Buffer {
    return this.#envelope.wrap(this.#options.fieldOf(json));
  }

  cached(object: CachedObject): Buffer {
    return this.#envelope.wrap(object.rendition(this.#rendition));
  }

  /** An event of a watch, framed for the socket. */
  event(type: string, object: CachedObject): Buffer {
    return eventFrame(type, this.#envelope.prefix, object.rendition(this.#rendition), this.#envelope.suffix);
  }

  bookmark(json: Buffer): Buffer {
    return eventFrame('BOOKMARK', this.one(json));
  }

  /**
   * Slices of a list; `metadata` is its first field. Lengths come before what they measure, so all objects are encoded
   * before the first byte leaves: those of a large list over several turns.
   */
  list(objects: readonly CachedObject[], metadata: Buffer): Pick<ChunksReply, 'chunks' | 'length'> {
    if (objects.length > OBJECTS_PER_TURN) return { chunks: this.#largeList(objects, metadata) };
    const size = objects.reduce((sum, object) => sum + this.#sizeOf(object), 0);
    const head = this.#listHead(metadata, size);
    const { suffix } = this.#listEnvelope;
    return { chunks: this.#slices(objects, head), length: head.length + size + suffix.length };
  }

  async *#largeList(objects: readonly CachedObject[], metadata: Buffer): AsyncGenerator<Buffer> {
    let size = 0;
    for (const [i, object] of objects.entries()) {
      size += this.#sizeOf(object);
      if (i % OBJECTS_PER_TURN === OBJECTS_PER_TURN - 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
    yield* this.#slices(objects, this.#listHead(metadata, size));
  }

  #sizeOf(object: CachedObject): number {
    return object.rendition(this.#rendition).length;
  }

  #listHead(metadata: Buffer, itemsSize: number): Buffer {
    return Buffer.concat([this.#listEnvelope.head(metadata.length + itemsSize), metadata]);
  }

  *#slices(objects: readonly CachedObject[], head: Buffer): Generator<Buffer> {
    yield head;
    const out = new SliceWriter();
    for (const object of objects) {
      const item = object.rendition(this.#rendition);
      const full = out.reserve(item.length);
      if (full !== undefined) yield full;
      out.copy(item, 0, item.length);
    }
    const rest = out.flush();
    if (rest !== undefined) yield rest;
    yield this.#listEnvelope.suffix;
  }
}

/** An event around an enveloped object, which may come in parts: its length in four bytes, then the event. */
export function eventFrame(type: string, ...envelope: readonly Buffer[]): Buffer {
  const size = envelope.reduce((sum, part) => sum + part.length, 0);
  const raw = fieldHead(RAW, size);
  const object = fieldHead(OBJECT, raw.length + size);
  const typeHead = fieldHead(TYPE, type.length);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(typeHead.length + type.length + object.length + raw.length + size);
  return frameChunk(length, typeHead, Buffer.from(type, 'latin1'), object, raw, ...envelope);
}
