import type { StoredObject } from './object.ts';
import { Arena, type Slab, type Slot } from './slab.ts';
import type { Rendition } from './types.ts';

/** The bytes of one object in one rendition, current while its generation is. */
export class RenditionSlot implements Slot {
  readonly generation: Generation;
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;

  constructor(generation: Generation, place: { slab: Slab; offset: number }, size: number) {
    this.generation = generation;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = size;
  }

  view(): Buffer {
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }
}

/** All that is memoised of one rendition of one resource; dropped as a whole. */
interface Generation {
  readonly id: string;
  readonly memo: RenditionMemo;
  readonly arena: Arena;
  dropped: boolean;
}

/** Bounds the renditions of all resources together: the one used least recently is dropped as a whole. */
export class RenditionBudget {
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

  touch(generation: Generation): void {
    this.#generations.delete(generation);
    this.#generations.add(generation);
  }

  account(generation: Generation, change: () => void): void {
    const before = generation.arena.usedBytes;
    change();
    this.#bytes += generation.arena.usedBytes - before;
    for (const oldest of this.#generations) {
      if (this.#bytes <= this.#limitBytes) return;
      this.forget(oldest);
    }
  }

  forget(generation: Generation): void {
    if (!this.#generations.delete(generation)) return;
    generation.dropped = true;
    generation.memo.forget(generation);
    this.#bytes -= generation.arena.usedBytes;
  }
}

/** Renditions of the objects of one resource. Those of a released object are released with it. */
export class RenditionMemo {
  readonly #budget: RenditionBudget;
  readonly #generations = new Map<string, Generation>();
  #last: Generation | undefined;

  constructor(budget: RenditionBudget) {
    this.#budget = budget;
  }

  view(object: StoredObject, rendition: Rendition): Buffer {
    return this.#known(object, rendition.id)?.view() ?? this.#make(object, rendition);
  }

  /** The slot that holds the rendition, made when needed; undefined for objects whose renditions are not kept. */
  slot(object: StoredObject, rendition: Rendition): RenditionSlot | undefined {
    const known = this.#known(object, rendition.id);
    if (known !== undefined) return known;
    this.#make(object, rendition);
    return this.#known(object, rendition.id);
  }

  release(object: StoredObject): void {
    const slots = object.renditions;
    if (slots === undefined) return;
    object.renditions = undefined;
    for (const slot of slots) {
      if (slot.generation.dropped) continue;
      this.#budget.account(slot.generation, () => {
        slot.generation.arena.release(slot);
        slot.generation.arena.compact(slot.size * 4);
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

  #known(object: StoredObject, id: string): RenditionSlot | undefined {
    const slots = object.renditions;
    if (slots === undefined) return undefined;
    for (const slot of slots) {
      if (slot.generation.id !== id || slot.generation.dropped) continue;
      if (this.#last !== slot.generation) {
        this.#last = slot.generation;
        this.#budget.touch(slot.generation);
      }
      return slot;
    }
    return undefined;
  }

  #make(object: StoredObject, rendition: Rendition): Buffer {
    const bytes = rendition.render(object);
    // A superseded state is rendered for whoever asked and not kept: nobody would release it.
    if (!object.live) return bytes;
    const generation = this.#generation(rendition.id);
    this.#budget.account(generation, () => {
      const slot = new RenditionSlot(generation, generation.arena.place(bytes), bytes.length);
      generation.arena.adopt(slot);
      object.renditions = [...(object.renditions ?? []).filter((s) => !s.generation.dropped), slot];
    });
    return bytes;
  }

  #generation(id: string): Generation {
    let generation = this.#generations.get(id);
    if (generation === undefined) {
      generation = { id, memo: this, arena: new Arena(), dropped: false };
      this.#generations.set(id, generation);
    }
    this.#budget.touch(generation);
    return generation;
  }
}
