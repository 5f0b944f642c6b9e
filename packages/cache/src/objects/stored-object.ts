import { compareKeys, type Revision } from '@orch/storage';
import type { CachedObject, Insert, ObjectEncoder, Scope } from '../types.ts';
import { decompressed } from './compression.ts';
import { type EncodedObject, type EncodingCache, EncodingSlot } from './encoding-cache.ts';
import { allFieldsOf, type FieldSet, fieldOf, type HeldFields } from './field-layout.ts';
import type { InternedLabels } from './interner.ts';
import {
  compareKeyAt,
  hasKeyAt,
  isBelowAt,
  type JsonPlace,
  keyAt,
  nameAt,
  nameOffsetOf,
  namespaceAt,
} from './json-key.ts';
import { isInScope, type Keyed, nameOf, namespaceOf } from './keys.ts';
import { type DistinctValues, KeyedValues, type ObjectValues } from './object-values.ts';
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
  /** Where most objects of the resource have their name; see `nameOffsetOf`. */
  readonly usualNameOffset?: number;
}

const CORRUPT = 1;
const LIVE = 2;
const HOLDER = 4;
/** The bits of the number of holders, of which there are one or two. */
const HOLDERS = 0x3c;
const NAME_SHIFT = 6;
/** The offset of the name in the JSON, from which the key is read; 0 when the object has a string of it. */
const NAME = 0xff << NAME_SHIFT;
/** One more than the offset of the revision, which is 0 when that is unknown. */
const REVISION_SHIFT = 14;
const LARGEST_REVISION_OFFSET = 2 ** (32 - REVISION_SHIFT) - 2;

const marksOf = ({ corrupt, revisionOffset }: ObjectHead, nameOffset: number): number =>
  (corrupt ? CORRUPT : 0) |
  (nameOffset << NAME_SHIFT) |
  (revisionOffset > LARGEST_REVISION_OFFSET ? 0 : (revisionOffset + 1) << REVISION_SHIFT);

/**
 * One state of one object, with its bytes in a slab. A replica holds tens of thousands of them, so its fields are few
 * and small: most objects have no string of their keys, which their JSON has.
 */
export class StoredObject implements CachedObject, EncodedObject, Keyed, Slot {
  readonly rev: Revision;
  readonly labels: InternedLabels;
  readonly fieldSet: FieldSet;
  /** Its values, or its first cached encoding while it is live, which then has the values: one field for both. */
  #held: ObjectValues | EncodingSlot;
  slab: Slab;
  offset: number;
  readonly size: number;
  /** `CORRUPT`, `LIVE`, the number of holders and two offsets: one field, since each takes eight bytes. */
  #marks: number;

  constructor(head: ObjectHead, place: Place) {
    const { key, fields } = head;
    const name = nameOffsetOf(place, key, head.usualNameOffset);
    this.rev = head.rev;
    this.labels = head.labels;
    this.fieldSet = fields.set;
    this.#held = name === 0 ? new KeyedValues(key, fields.distinct) : fields.distinct;
    this.#marks = marksOf(head, name);
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
  }

  get key(): string {
    return this.#keyed?.key ?? keyAt(this.slab.bytes, this.#name);
  }

  /** The part of the key after the namespace. */
  get name(): string {
    const keyed = this.#keyed;
    return keyed === undefined ? nameAt(this.slab.bytes, this.#name) : nameOf(keyed.key);
  }

  /** Empty for an object without a namespace. */
  get namespace(): string {
    const keyed = this.#keyed;
    return keyed === undefined ? namespaceAt(this.slab.bytes, this.#name) : namespaceOf(keyed.key);
  }

  hasKey(key: string): boolean {
    const keyed = this.#keyed;
    return keyed === undefined ? hasKeyAt(this.slab.bytes, this.#name, key) : keyed.key === key;
  }

  compareKey(key: string): number {
    const keyed = this.#keyed;
    return keyed === undefined ? compareKeyAt(this.slab.bytes, this.#name, key) : compareKeys(keyed.key, key);
  }

  /** Reports whether a scope contains the object. */
  isIn(scope: Scope): boolean {
    const keyed = this.#keyed;
    if (keyed !== undefined) return isInScope(scope, keyed.key);
    const { exact, prefix } = scope;
    if (exact !== undefined) return this.hasKey(exact);
    return prefix === '' || isBelowAt(this.slab.bytes, this.#name, prefix);
  }

  /** Reports whether bytes at a place may be those of this object: their number is the same, and the key that is read from them. */
  isAt(place: JsonPlace): boolean {
    return place.size === this.size && nameOffsetOf(place, this.key, this.nameOffset) === this.nameOffset;
  }

  /** Values of the fields that most objects do not share; see `FieldLayout`. */
  get distinct(): DistinctValues {
    const values = this.#values;
    return values instanceof KeyedValues ? values.distinct : values;
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

  /** See `nameOffsetOf`. */
  get nameOffset(): number {
    return (this.#marks & NAME) >> NAME_SHIFT;
  }

  /** See `Ingested.revisionOffset`; -1 when unknown. */
  get revisionOffset(): number {
    return (this.#marks >>> REVISION_SHIFT) - 1;
  }

  get encoding(): EncodingSlot | undefined {
    return this.#held instanceof EncodingSlot ? this.#held : undefined;
  }

  set encoding(first: EncodingSlot | undefined) {
    if (this.isCompressed) return;
    const values = this.#values;
    if (first !== undefined) first.values = values;
    this.#held = first ?? values;
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
    const bytes = this.#keyed?.compressed;
    if (bytes !== undefined) return decompressed(bytes);
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
    return this.#keyed?.compressed?.length ?? this.size;
  }

  /** Its bytes are compressed: `slab` does not have them. */
  get isCompressed(): boolean {
    return this.#keyed?.compressed !== undefined;
  }

  /** Uses compressed bytes from now on; the caller has released those in the arena, and its encodings. Views taken before stay valid. */
  replaceBy(bytes: Buffer): void {
    this.#held = new KeyedValues(this.key, this.distinct, bytes);
    this.#marks &= ~NAME;
    this.slab = emptySlab;
    this.offset = 0;
  }

  get #values(): ObjectValues {
    return this.#held instanceof EncodingSlot ? this.#held.values : this.#held;
  }

  /** Undefined when the key is read from the JSON. */
  get #keyed(): KeyedValues | undefined {
    if ((this.#marks & NAME) !== 0) return undefined;
    const values = this.#values;
    return values instanceof KeyedValues ? values : undefined;
  }

  /** The position of the name in the slab. */
  get #name(): number {
    return this.offset + this.nameOffset;
  }
}

/** The slab of objects whose bytes are compressed. */
const emptySlab = ownMemory.allocate(0);

/** An object in separate memory, not in an arena: a state from the store's history, or the last state of a deleted object. */
export function detachedObject(head: ObjectHead, json: Buffer, insert?: Insert): StoredObject {
  const place = { slab: slabOf(json, insert), offset: 0, size: sizeWith(json, insert) };
  return new StoredObject(head, place);
}
