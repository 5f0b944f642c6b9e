import type { CachedObject, ObjectEncoder } from '../types.ts';
import { Arena } from './arena.ts';
import type { ObjectValues } from './object-values.ts';
import { type Slab, type Slot, slabOf } from './slab.ts';

/** An object as the encoding cache sees it; it carries the slots of its cached encodings. */
export interface EncodedObject extends CachedObject {
  /**
   * The object is part of the current state or, uncompressed, of the event history. Encodings of other objects are not
   * cached.
   */
  readonly live: boolean;
  /** The first of its slots, linked by `next`. */
  encoding: EncodingSlot | undefined;
}

/**
 * The bytes of one object from one encoder, valid until their generation is dropped. A list reads a slot of every object,
 * so the fields that it reads are the first ones, and the slots of an object are linked rather than in an array.
 */
export class EncodingSlot implements Slot {
  readonly generation: Generation | undefined;
  slab: Slab;
  offset: number;
  readonly size: number;
  /** The slot of the same object from another encoder. */
  next: EncodingSlot | undefined = undefined;
  /** Those of the object, when this is its first slot: the object refers to both by one field. */
  values: ObjectValues = '';
  live = false;

  constructor(generation: Generation | undefined, place: { slab: Slab; offset: number }, size: number) {
    this.generation = generation;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = size;
  }

  /** The slot is cached and its generation has not been dropped. */
  get current(): boolean {
    return this.generation !== undefined && !this.generation.dropped;
  }

  view(): Buffer {
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }
}

/** All cached encodings of one resource by one encoder; dropped as a whole. */
interface Generation {
  readonly id: string;
  readonly cache: EncodingCache;
  readonly arena: Arena;
  dropped: boolean;
}

/**
 * Bounds the cached encodings of all resources together: the least recently used generation is dropped as a whole. A
 * single generation may exceed the limit up to the size of the objects that it encodes, since encoding all of them
 * again for each list would cost more than the memory.
 */
export class EncodingBudget {
  readonly #limitBytes: number;
  /** In order of use, the least recently used first. */
  readonly #generations = new Set<Generation>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Reports whether `bytes` more may be added to a generation. */
  hasRoom({ arena, cache }: Generation, bytes: number): boolean {
    return arena.usedBytes + bytes <= Math.max(this.#limitBytes, cache.objectBytes);
  }

  touch(generation: Generation): void {
    this.#generations.delete(generation);
    this.#generations.add(generation);
  }

  account<T>(generation: Generation, change: () => T): T {
    const before = generation.arena.usedBytes;
    const result = change();
    this.#bytes += generation.arena.usedBytes - before;
    for (const oldest of this.#generations) {
      if (this.#bytes <= this.#limitBytes) break;
      if (oldest !== generation) this.drop(oldest);
    }
    return result;
  }

  drop(generation: Generation): void {
    if (!this.#generations.delete(generation)) return;
    generation.dropped = true;
    generation.cache.remove(generation);
    this.#bytes -= generation.arena.usedBytes;
  }
}

/** Cached encodings of the objects of one resource. Those of a released object are released with it. */
export class EncodingCache {
  readonly #budget: EncodingBudget;
  readonly #objects: Pick<Arena, 'liveBytes'>;
  readonly #generations = new Map<string, Generation>();
  #last: Generation | undefined;

  /** `objects` is the arena of the objects themselves. */
  constructor(budget: EncodingBudget, objects: Pick<Arena, 'liveBytes'>) {
    this.#budget = budget;
    this.#objects = objects;
  }

  get objectBytes(): number {
    return this.#objects.liveBytes;
  }

  /** The bytes of an object from an encoder, encoded unless they are cached. */
  slot(object: EncodedObject, encoder: ObjectEncoder): EncodingSlot {
    return this.#cached(object, encoder.id) ?? this.#encode(object, encoder);
  }

  has(object: EncodedObject, { id }: ObjectEncoder): boolean {
    return this.#cached(object, id) !== undefined;
  }

  release(object: EncodedObject): void {
    let slot = object.encoding;
    object.encoding = undefined;
    for (; slot !== undefined; slot = slot.next) this.#release(slot);
  }

  clear(): void {
    for (const generation of [...this.#generations.values()]) this.#budget.drop(generation);
  }

  remove(generation: Generation): void {
    this.#generations.delete(generation.id);
    if (this.#last === generation) this.#last = undefined;
  }

  #release(slot: EncodingSlot): void {
    const { generation } = slot;
    if (generation === undefined || generation.dropped) return;
    this.#budget.account(generation, () => {
      generation.arena.release(slot);
      generation.arena.compact(slot.size * 4);
    });
  }

  #cached(object: EncodedObject, id: string): EncodingSlot | undefined {
    let slot = object.encoding;
    if (slot === undefined) return undefined;
    const generation = this.#used(id);
    if (generation === undefined) return undefined;
    while (slot !== undefined && slot.generation !== generation) slot = slot.next;
    return slot;
  }

  /** The generation of an encoder. All objects of a list need the same one, so only a change of it counts as a use. */
  #used(id: string): Generation | undefined {
    if (this.#last?.id === id) return this.#last;
    const generation = this.#generations.get(id);
    if (generation === undefined) return undefined;
    this.#last = generation;
    this.#budget.touch(generation);
    return generation;
  }

  #encode(object: EncodedObject, encoder: ObjectEncoder): EncodingSlot {
    const bytes = encoder.encode(object);
    const detached = (): EncodingSlot =>
      new EncodingSlot(undefined, { slab: slabOf(bytes), offset: 0 }, bytes.length);
    // `release` is called for live objects only, so the bytes of others are not cached.
    if (!object.live) return detached();
    const generation = this.#generation(encoder);
    if (!this.#budget.hasRoom(generation, bytes.length)) return detached();
    return this.#budget.account(generation, () => {
      const slot = new EncodingSlot(generation, generation.arena.place(bytes), bytes.length);
      generation.arena.adopt(slot);
      slot.next = linkCurrent(object.encoding);
      object.encoding = slot;
      return slot;
    });
  }

  #generation({ id, unseparated }: ObjectEncoder): Generation {
    let generation = this.#generations.get(id);
    if (generation === undefined) {
      generation = { id, cache: this, arena: new Arena(unseparated === true ? 0 : 1), dropped: false };
      this.#generations.set(id, generation);
    }
    this.#budget.touch(generation);
    return generation;
  }
}

/** Links the slots whose generation was not dropped; returns the first of them. */
function linkCurrent(first: EncodingSlot | undefined): EncodingSlot | undefined {
  let kept: EncodingSlot | undefined;
  for (let slot = first, next = slot?.next; slot !== undefined; slot = next, next = slot?.next) {
    if (!slot.current) continue;
    slot.next = kept;
    kept = slot;
  }
  return kept;
}
