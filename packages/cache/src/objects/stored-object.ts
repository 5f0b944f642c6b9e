import type { Revision } from '@orch/storage';
import type { CachedObject, Insert, ObjectEncoder } from '../types.ts';
import { decompressed } from './compression.ts';
import type { EncodedObject, EncodingCache, EncodingSlot } from './encoding-cache.ts';
import { allFieldsOf, type DistinctValues, type FieldSet, fieldOf, type HeldFields } from './field-layout.ts';
import type { InternedLabels } from './interner.ts';
import { ownMemory, type Place, type Slab, type Slot, sizeWith, slabOf } from './slab.ts';

/** The attributes of an object other than its bytes. */
export interface ObjectHead {
  readonly key: string;
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fields: HeldFields;
  readonly corrupt: boolean;
  /** See `Ingested.revisionOffset`; -1 when unknown. */
  readonly revisionOffset: number;
}

const CORRUPT = 1;
const LIVE = 2;
const HOLDER = 4;

/**
 * One state of one object, with its bytes in a slab. A replica holds tens of thousands of them, so its fields are few
 * and small.
 */
export class StoredObject implements CachedObject, EncodedObject, Slot {
  readonly key: string;
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fieldSet: FieldSet;
  readonly distinct: DistinctValues;
  readonly revisionOffset: number;
  slab: Slab;
  offset: number;
  readonly size: number;
  readonly encodingCache: EncodingCache | undefined;
  encoding: EncodingSlot | undefined = undefined;
  #compressed: Buffer | undefined = undefined;
  /** `CORRUPT`, `LIVE` and the number of holders: one field, since each takes eight bytes. */
  #marks: number;

  constructor(head: ObjectHead, place: Place, encodingCache: EncodingCache | undefined) {
    this.key = head.key;
    this.rev = head.rev;
    this.labels = head.labels;
    this.fieldSet = head.fields.set;
    this.distinct = head.fields.distinct;
    this.#marks = head.corrupt ? CORRUPT : 0;
    this.revisionOffset = head.revisionOffset;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
    this.encodingCache = encodingCache;
  }

  get corrupt(): boolean {
    return (this.#marks & CORRUPT) !== 0;
  }

  get live(): boolean {
    return (this.#marks & LIVE) !== 0;
  }

  set live(isLive: boolean) {
    this.#marks = isLive ? this.#marks | LIVE : this.#marks & ~LIVE;
  }

  /** References from the current state and from events in the history; the bytes are released at 0. */
  get holders(): number {
    return Math.floor(this.#marks / HOLDER);
  }

  hold(): void {
    this.#marks += HOLDER;
  }

  unhold(): void {
    this.#marks -= HOLDER;
  }

  field(position: number): string {
    return fieldOf(this, position);
  }

  /** Values of all selectable fields of the resource. */
  get fields(): readonly string[] {
    return allFieldsOf(this);
  }

  hasFieldsOf(other: StoredObject): boolean {
    return this.fieldSet === other.fieldSet && this.distinct === other.distinct;
  }

  json(): Buffer {
    if (this.#compressed !== undefined) return decompressed(this.#compressed);
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }

  encoded(encoder: ObjectEncoder): Buffer {
    const cache = this.encodingCache;
    return cache === undefined ? encoder.encode(this) : cache.slot(this, encoder).view();
  }

  isEncoded(encoder: ObjectEncoder): boolean {
    return this.encodingCache?.has(this, encoder) === true;
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
