import type { Revision } from '@orch/storage';
import type { CachedObject, Insert, ObjectEncoder } from '../types.ts';
import { decompressed } from './compression.ts';
import type { EncodedObject, EncodingCache, EncodingSlot } from './encoding-cache.ts';
import type { InternedLabels } from './interner.ts';
import { ownMemory, type Place, type Slab, type Slot, sizeWith, slabOf } from './slab.ts';

/** The attributes of an object other than its bytes. */
export interface ObjectHead {
  readonly key: string;
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fields: readonly string[];
  readonly corrupt: boolean;
  /** See `Ingested.revisionOffset`; -1 when unknown. */
  readonly revisionOffset: number;
}

/**
 * One state of one object, with its bytes in a slab. A replica holds tens of thousands of them, so its fields are few
 * and small.
 */
export class StoredObject implements CachedObject, EncodedObject, Slot {
  readonly key: string;
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fields: readonly string[];
  readonly corrupt: boolean;
  readonly revisionOffset: number;
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;
  /** References from the current state and from events in the history; the bytes are released at 0. */
  holders = 0;
  readonly encodingCache: EncodingCache | undefined;
  encoding: EncodingSlot | undefined = undefined;
  #compressed: Buffer | undefined = undefined;

  constructor(head: ObjectHead, place: Place, encodingCache: EncodingCache | undefined) {
    this.key = head.key;
    this.rev = head.rev;
    this.labels = head.labels;
    this.fields = head.fields;
    this.corrupt = head.corrupt;
    this.revisionOffset = head.revisionOffset;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
    this.encodingCache = encodingCache;
  }

  json(): Buffer {
    if (this.#compressed !== undefined) return decompressed(this.#compressed);
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }

  encoded(encoder: ObjectEncoder): Buffer {
    const cache = this.encodingCache;
    return cache === undefined ? encoder.encode(this) : cache.slot(this, encoder).view();
  }

  /** Bytes of memory that the JSON takes. */
  get heldBytes(): number {
    return this.#compressed?.length ?? this.size;
  }

  /** Its bytes are compressed: `slab` does not have them. */
  get isCompressed(): boolean {
    return this.#compressed !== undefined;
  }

  /** Uses compressed bytes from now on; the caller has released those in the arena. Views taken before stay valid. */
  replaceBy(bytes: Buffer): void {
    this.#compressed = bytes;
    this.slab = emptySlab;
    this.offset = 0;
  }
}

/** The slab of objects whose bytes are compressed. */
const emptySlab = ownMemory.allocate(0);

/** An object in separate memory, not in an arena: a state from the store's history, or the last state of a deleted object. */
export function detachedObject(head: ObjectHead, json: Buffer, insert?: Insert): StoredObject {
  const place = { slab: slabOf(json, insert), offset: 0, size: sizeWith(json, insert) };
  return new StoredObject(head, place, undefined);
}
