import type { Revision } from '@orch/storage';
import type { CachedObject, Insert, ObjectEncoder } from '../types.ts';
import { type Place, type Slab, type Slot, sizeWith, slabOf } from './arena.ts';
import type { EncodingCache, EncodingSlot } from './encoding-cache.ts';
import type { InternedLabels } from './interner.ts';

/** What an object is besides its bytes. */
export interface ObjectHead {
  readonly key: string;
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fields: readonly string[];
  readonly corrupt: boolean;
  /** See `Ingested.revisionOffset`; -1 when unknown. */
  readonly revisionOffset: number;
}

/** One state of one object, its bytes in a slab; made tens of thousands of times, so it has few and small fields. */
export class StoredObject implements CachedObject, Slot {
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
  /** How many of the current state and the window's events hold the object; its bytes are released at 0. */
  holders = 0;
  readonly encodingCache: EncodingCache | undefined;
  encodings: EncodingSlot[] | undefined = undefined;

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
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }

  encoded(encoder: ObjectEncoder): Buffer {
    return this.encodingCache === undefined
      ? encoder.encode(this)
      : this.encodingCache.slot(this, encoder).view();
  }
}

/** An object outside the cache, in memory of its own: a state from history, or the last state of a deleted object. */
export function looseObject(head: ObjectHead, json: Buffer, insert?: Insert): StoredObject {
  const place = { slab: slabOf(json, insert), offset: 0, size: sizeWith(json, insert) };
  return new StoredObject(head, place, undefined);
}
