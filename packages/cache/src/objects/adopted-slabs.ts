import { Slab, type SlabOwner, weightOf } from './slab.ts';

/** The place of bytes that another thread has written. */
export interface SharedPlace {
  readonly slab: AdoptedSlab;
  readonly offset: number;
  readonly size: number;
}

/** The places to which a compaction has moved the slots of a slab. */
export interface Moves {
  /** Offsets in the slab, in ascending order. */
  readonly from: Uint32Array;
  /** The slab of each new place, and the offset in it. */
  readonly slabs: readonly AdoptedSlab[];
  readonly offsets: Uint32Array;
}

const noMoves: Moves = { from: new Uint32Array(0), slabs: [], offsets: new Uint32Array(0) };

/** A slab that another thread has written and this one reads. */
export class AdoptedSlab {
  readonly #bytes: Buffer;
  readonly #weight: ArrayBuffer;
  /** The slots of each arena of this thread. */
  readonly #parts = new Map<SlabOwner, Slab>();
  /** Set when the writer has dropped the slab: slots that are not moved have to be copied. */
  #moves: Moves | undefined;

  constructor(buffer: SharedArrayBuffer) {
    this.#bytes = Buffer.from(buffer);
    this.#weight = weightOf(buffer.byteLength);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The slots of an arena in the slab. */
  partOf(owner: SlabOwner): Slab {
    let part = this.#parts.get(owner);
    if (part === undefined) {
      part = new Slab(this.#bytes, { weight: this.#weight });
      // Only the thread that writes the slab compacts it.
      part.sparse = true;
      this.#parts.set(owner, part);
    }
    return part;
  }

  /** The place where the bytes at an offset are now; undefined when they are in no slab that the writer keeps. */
  placeOf(offset: number): Omit<SharedPlace, 'size'> | undefined {
    let slab: AdoptedSlab = this;
    for (let at = offset; ; ) {
      const moves = slab.#moves;
      if (moves === undefined) return { slab, offset: at };
      const index = indexOf(moves.from, at);
      const next = moves.slabs[index];
      if (next === undefined) return undefined;
      at = moves.offsets[index] ?? 0;
      slab = next;
    }
  }

  /** The writer has dropped the slab. Every live slot gets its new place, or a copy in memory of this thread. */
  retire(moves: Moves = noMoves): void {
    this.#moves = moves;
    for (const [owner, part] of this.#parts) owner.vacate(part, (offset) => this.placeOf(offset));
    this.#parts.clear();
  }
}

/** The index of an offset in ascending offsets; -1 when it is not one of them. */
function indexOf(offsets: Uint32Array, wanted: number): number {
  let low = 0;
  for (let high = offsets.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return offsets[low] === wanted ? low : -1;
}

/** The slabs that this thread reads, by their numbers. A slab that has left is freed with the last slot in it. */
export class AdoptedSlabs {
  readonly #slabs = new Map<number, AdoptedSlab>();

  get size(): number {
    return this.#slabs.size;
  }

  add(id: number, buffer: SharedArrayBuffer): void {
    this.#slabs.set(id, new AdoptedSlab(buffer));
  }

  get(id: number): AdoptedSlab {
    const slab = this.#slabs.get(id);
    if (slab === undefined) throw new RangeError(`slab ${id} is unknown to this thread`);
    return slab;
  }

  /** Removes a slab that the writer has dropped: no later message refers to it. */
  remove(id: number): AdoptedSlab {
    const slab = this.get(id);
    this.#slabs.delete(id);
    return slab;
  }

  clear(): void {
    this.#slabs.clear();
  }
}
