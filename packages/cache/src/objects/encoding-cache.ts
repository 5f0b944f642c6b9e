import type { ObjectEncoder } from '../types.ts';
import { Arena, type Slab, type Slot, slabOf } from './arena.ts';
import type { StoredObject } from './stored-object.ts';

/** The bytes of one object in one encoder, current while its generation is. */
export class EncodingSlot implements Slot {
  readonly generation: Generation | undefined;
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;

  constructor(generation: Generation | undefined, place: { slab: Slab; offset: number }, size: number) {
    this.generation = generation;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = size;
  }

  /** Not dropped since it was made. */
  get current(): boolean {
    return this.generation !== undefined && !this.generation.dropped;
  }

  view(): Buffer {
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }
}

/** All that is memoised of one encoder of one resource; dropped as a whole. */
interface Generation {
  readonly id: string;
  readonly encodingCache: EncodingCache;
  readonly arena: Arena;
  dropped: boolean;
}

/**
 * Bounds the encodings of all resources together: the one used least recently is dropped as a whole. One of them may
 * have as much as the objects that it is made of, however many they are: to make it anew for each list would cost more
 * than it takes.
 */
export class EncodingBudget {
  readonly #limitBytes: number;
  /** In order of use, the least recent first. */
  readonly #generations = new Set<Generation>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so many bytes may be added to a encoder. */
  hasRoom({ arena, encodingCache }: Generation, bytes: number): boolean {
    return arena.usedBytes + bytes <= Math.max(this.#limitBytes, encodingCache.objectBytes);
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
      if (oldest !== generation) this.forget(oldest);
    }
    return result;
  }

  forget(generation: Generation): void {
    if (!this.#generations.delete(generation)) return;
    generation.dropped = true;
    generation.encodingCache.forget(generation);
    this.#bytes -= generation.arena.usedBytes;
  }
}

/** Renditions of the objects of one resource. Those of a released object are released with it. */
export class EncodingCache {
  readonly #budget: EncodingBudget;
  readonly #objects: Pick<Arena, 'liveBytes'>;
  readonly #generations = new Map<string, Generation>();
  #last: Generation | undefined;

  /** `objects` is where the objects are. */
  constructor(budget: EncodingBudget, objects: Pick<Arena, 'liveBytes'>) {
    this.#budget = budget;
    this.#objects = objects;
  }

  get objectBytes(): number {
    return this.#objects.liveBytes;
  }

  /** The bytes of an object in a encoder, made when needed. */
  slot(object: StoredObject, encoder: ObjectEncoder): EncodingSlot {
    return this.#known(object, encoder.id) ?? this.#make(object, encoder);
  }

  release(object: StoredObject): void {
    const slots = object.encodings;
    if (slots === undefined) return;
    object.encodings = undefined;
    for (const slot of slots) {
      const { generation } = slot;
      if (generation === undefined || generation.dropped) continue;
      this.#budget.account(generation, () => {
        generation.arena.release(slot);
        generation.arena.compact(slot.size * 4);
      });
    }
  }

  clear(): void {
    for (const generation of [...this.#generations.values()]) this.#budget.forget(generation);
  }

  forget(generation: Generation): void {
    this.#generations.delete(generation.id);
    if (this.#last === generation) this.#last = undefined;
  }

  #known(object: StoredObject, id: string): EncodingSlot | undefined {
    const slots = object.encodings;
    if (slots === undefined) return undefined;
    for (const slot of slots) {
      const { generation } = slot;
      if (generation === undefined || generation.id !== id || generation.dropped) continue;
      if (this.#last !== generation) {
        this.#last = generation;
        this.#budget.touch(generation);
      }
      return slot;
    }
    return undefined;
  }

  #make(object: StoredObject, encoder: ObjectEncoder): EncodingSlot {
    const bytes = encoder.encode(object);
    const loose = (): EncodingSlot =>
      new EncodingSlot(undefined, { slab: slabOf(bytes), offset: 0 }, bytes.length);
    // Nobody would release the bytes of a state that is not held: they are for whoever asked, and not kept.
    if (!object.live) return loose();
    const generation = this.#generation(encoder);
    if (!this.#budget.hasRoom(generation, bytes.length)) return loose();
    return this.#budget.account(generation, () => {
      const slot = new EncodingSlot(generation, generation.arena.place(bytes), bytes.length);
      generation.arena.adopt(slot);
      object.encodings = [...(object.encodings ?? []).filter((s) => s.current), slot];
      return slot;
    });
  }

  #generation({ id, unseparated }: ObjectEncoder): Generation {
    let generation = this.#generations.get(id);
    if (generation === undefined) {
      generation = {
        id,
        encodingCache: this,
        arena: new Arena(unseparated === true ? 0 : 1),
        dropped: false,
      };
      this.#generations.set(id, generation);
    }
    this.#budget.touch(generation);
    return generation;
  }
}
