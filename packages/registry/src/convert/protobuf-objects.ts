import { type CachedObject, encodeItems, type ObjectEncoder, sizeIn } from '@orch/cache';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { isLarge } from '@orch/machinery/json';
import { type ChunksReply, frameChunk } from '@orch/request';
import { EnvelopeWriter, fieldHead } from '@orch/schema';

export interface ProtobufObjectsOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Identifies the cached encoding; the same for versions that have the same messages. */
  readonly encodingId: string;
  /** The JSON of a cached object as far as the messages depend on its version. */
  jsonOf(object: CachedObject): Buffer;
  /** The field of an envelope, and of a list, that holds the object with this JSON. */
  fieldOf(json: Buffer): Buffer;
  /** Like `fieldOf`, in pieces. */
  fieldInPieces(json: Buffer): Work<Buffer>;
}

/** Numbers of the fields of WatchEvent and RawExtension. */
const TYPE = 1;
const OBJECT = 2;
const RAW = 1;

/** Bytes of JSON encoded in one turn of the event loop: a millisecond or two, because many lists may be encoded at once. */
const BYTES_PER_TURN = 64 * 1024;

/**
 * Encodes objects of one kind in Protobuf (spec 2.7; facts: envelope, watchStream). The encoding is cached with the object,
 * as the field that an envelope and a list contain.
 */
export class ProtobufObjects {
  readonly #options: ProtobufObjectsOptions;
  readonly #envelope: EnvelopeWriter;
  readonly #listEnvelope: EnvelopeWriter;
  readonly #encoder: ObjectEncoder;
  /** JSON that was encoded so far, in bytes. */
  #encoded = 0;

  constructor(options: ProtobufObjectsOptions) {
    const { kind, apiVersion, encodingId } = options;
    this.#options = options;
    this.#envelope = new EnvelopeWriter(kind, apiVersion);
    this.#listEnvelope = new EnvelopeWriter(`${kind}List`, apiVersion);
    this.#encoder = {
      id: `protobuf ${encodingId}`,
      // An item of a list is a field of its message as it stands.
      unseparated: true,
      encode: (object) => {
        const json = options.jsonOf(object);
        this.#encoded += json.length;
        return options.fieldOf(json);
      },
    };
  }

  /** One object, given as JSON. */
  one(json: Buffer): Buffer {
    return this.#envelope.wrap(this.#options.fieldOf(json));
  }

  /** Like `one`, in pieces. */
  *oneInPieces(json: Buffer): Work<Buffer> {
    return this.#envelope.wrap(yield* this.#options.fieldInPieces(json));
  }

  cached(object: CachedObject): Buffer {
    return this.#envelope.wrap(object.encoded(this.#encoder));
  }

  /** Like `cached`, in pieces. */
  *cachedInPieces(object: CachedObject): Work<Buffer> {
    return this.#envelope.wrap(yield* this.#encodedInPieces(object));
  }

  *#encodedInPieces(object: CachedObject): Work<Buffer> {
    if (object.isEncoded(this.#encoder)) return object.encoded(this.#encoder);
    const json = this.#options.jsonOf(object);
    this.#encoded += json.length;
    const field = yield* this.#options.fieldInPieces(json);
    return object.encoded({ ...this.#encoder, encode: () => field });
  }

  /** An event of a watch, framed for the socket. */
  event(type: string, object: CachedObject): Buffer {
    return eventFrame(type, this.#envelope.prefix, object.encoded(this.#encoder), this.#envelope.suffix);
  }

  bookmark(json: Buffer): Buffer {
    return eventFrame('BOOKMARK', this.one(json));
  }

  /**
   * Slices of a list; `metadata` is its first field. Lengths precede the content, so all objects are encoded before the
   * first byte is sent: over several turns when many of them, or large ones, are not in the cache.
   */
  list(
    objects: readonly CachedObject[],
    metadata: Buffer,
    turns: Turns,
  ): Pick<ChunksReply, 'chunks' | 'length'> {
    const measuring = this.#measure(objects);
    const first = measuring.next();
    if (first.done !== true) {
      const size = (): number | Promise<number> => turns.run(measuring);
      return { chunks: this.#later(objects, metadata, size) };
    }
    const head = this.#listHead(metadata, first.value);
    const { suffix } = this.#listEnvelope;
    return { chunks: this.#slices(objects, head), length: head.length + first.value + suffix.length };
  }

  async *#later(
    objects: readonly CachedObject[],
    metadata: Buffer,
    size: () => number | Promise<number>,
  ): AsyncGenerator<Buffer> {
    yield* this.#slices(objects, this.#listHead(metadata, await size()));
  }

  /** Adds up the sizes of objects, encoding those that are not yet encoded; pauses after much work. */
  *#measure(objects: readonly CachedObject[]): Work<number> {
    let size = 0;
    let enough = this.#encoded + BYTES_PER_TURN;
    for (const object of objects) {
      if (isLarge(object.size)) yield* this.#encodedInPieces(object);
      size += sizeIn(object, this.#encoder);
      if (this.#encoded < enough) continue;
      yield;
      enough = this.#encoded + BYTES_PER_TURN;
    }
    return size;
  }

  #listHead(metadata: Buffer, itemsSize: number): Buffer {
    return Buffer.concat([this.#listEnvelope.head(metadata.length + itemsSize), metadata]);
  }

  *#slices(objects: readonly CachedObject[], head: Buffer): Generator<Buffer> {
    yield head;
    yield* encodeItems(objects, this.#encoder);
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
