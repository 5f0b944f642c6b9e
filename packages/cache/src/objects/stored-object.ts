import type { Revision } from '@orch/storage';
import type { CachedObject, Insert, ObjectEncoder } from '../types.ts';
import { decompressed } from './compression.ts';
import { type EncodedObject, type EncodingCache, EncodingSlot } from './encoding-cache.ts';
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
/** The bits of the number of holders, of which there are one or two. */
const HOLDERS = 0x3c;
/** One more than the offset of the revision, which is 0 when that is unknown. */
const REVISION_SHIFT = 6;
const LARGEST_REVISION_OFFSET = 2 ** (31 - REVISION_SHIFT) - 2;

const marksOf = ({ corrupt, revisionOffset }: ObjectHead): number =>
  (corrupt ? CORRUPT : 0) |
  (revisionOffset > LARGEST_REVISION_OFFSET ? 0 : (revisionOffset + 1) << REVISION_SHIFT);

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
  slab: Slab;
  offset: number;
  readonly size: number;
  /** The first cached encoding while the object is live, or its compressed bytes. */
  #bytes: EncodingSlot | Buffer | undefined = undefined;
  /** `CORRUPT`, `LIVE`, the number of holders and the offset of the revision: one field, since each takes eight bytes. */
  #marks: number;

  constructor(head: ObjectHead, place: Place) {
    this.key = head.key;
    this.rev = head.rev;
    this.labels = head.labels;
    this.fieldSet = head.fields.set;
    this.distinct = head.fields.distinct;
    this.#marks = marksOf(head);
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
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
    return (this.#marks & HOLDERS) / HOLDER;
  }

  hold(): void {
    if ((this.#marks & HOLDERS) === HOLDERS) throw new RangeError(`too many holders of ${this.key}`);
    this.#marks += HOLDER;
  }

  unhold(): void {
    this.#marks -= HOLDER;
  }

  /** See `Ingested.revisionOffset`; -1 when unknown. */
  get revisionOffset(): number {
    return (this.#marks >> REVISION_SHIFT) - 1;
  }

  get encoding(): EncodingSlot | undefined {
    return this.#bytes instanceof EncodingSlot ? this.#bytes : undefined;
  }

  set encoding(first: EncodingSlot | undefined) {
    if (!this.isCompressed) this.#bytes = first;
  }

  /** The cache of its encodings, which has those of live objects only. */
  get encodingCache(): EncodingCache | undefined {
    return this.live ? this.fieldSet.encodings : undefined;
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
    if (Buffer.isBuffer(this.#bytes)) return decompressed(this.#bytes);
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
    return Buffer.isBuffer(this.#bytes) ? this.#bytes.length : this.size;
  }

  /** Its bytes are compressed: `slab` does not have them. */
  get isCompressed(): boolean {
    return Buffer.isBuffer(this.#bytes);
  }

  /** Uses compressed bytes from now on; the caller has released those in the arena, and its encodings. Views taken before stay valid. */
  replaceBy(bytes: Buffer): void {
    this.#bytes = bytes;
    this.slab = emptySlab;
    this.offset = 0;
  }
}

/** The slab of objects whose bytes are compressed. */
const emptySlab = ownMemory.allocate(0);

/** An object in separate memory, not in an arena: a state from the store's history, or the last state of a deleted object. */
export function detachedObject(head: ObjectHead, json: Buffer, insert?: Insert): StoredObject {
  const place = { slab: slabOf(json, insert), offset: 0, size: sizeWith(json, insert) };
  return new StoredObject(head, place);
}
