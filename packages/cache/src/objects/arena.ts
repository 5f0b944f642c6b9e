import type { Insert } from '../types.ts';

/** Where the bytes of one thing stand. Compaction moves them; views taken before stay valid, bytes are never overwritten. */
export interface Slot {
  slab: Slab;
  offset: number;
  readonly size: number;
  /** Counted in the slab. A slot that is not live keeps its bytes for as long as it is referenced, but is not moved. */
  live: boolean;
}

/** Where something was copied to. */
export type Place = Pick<Slot, 'slab' | 'offset' | 'size'>;

/** A buffer filled from the front. */
export class Slab {
  readonly bytes: Buffer;
  used = 0;
  /** Bytes of live slots, their commas included. */
  liveBytes = 0;
  slots: Slot[] = [];
  /** Slots before it were moved out already. */
  moved = 0;
  sparse = false;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }
}

export const COMMA = 0x2c;
const FIRST_SLAB_BYTES = 64 * 1024;
const LARGEST_SLAB_BYTES = 2 * 1024 * 1024;
/** Larger things get a slab of their own, so that the unused end of a slab stays small. */
const ALONE_BYTES = LARGEST_SLAB_BYTES / 8;
/** A full slab that is less alive than this is emptied: at most a quarter of the bytes in full slabs is waste. */
const SPARSE_BELOW = 0.75;
/** What looking at a dead slot costs, in bytes copied. */
const DEAD_SLOT_COST = 16;

/** A slab of exactly one thing, outside of any arena. */
export function slabOf(bytes: Buffer, insert?: Insert): Slab {
  const size = sizeWith(bytes, insert);
  const slab = new Slab(size + 1);
  copyWith(bytes, insert, slab.bytes, 0);
  slab.bytes[size] = COMMA;
  slab.used = size + 1;
  return slab;
}

/** Length of `bytes` with `insert` put in. */
export function sizeWith(bytes: Buffer, insert: Insert | undefined): number {
  if (insert === undefined) return bytes.length;
  return bytes.length + insert.text.length - (insert.resume - insert.offset);
}

function copyWith(bytes: Buffer, insert: Insert | undefined, to: Buffer, at: number): void {
  if (insert === undefined) {
    bytes.copy(to, at);
    return;
  }
  const { offset, text, resume } = insert;
  bytes.copy(to, at, 0, offset);
  to.write(text, at + offset, 'latin1');
  bytes.copy(to, at + offset + text.length, resume);
}

/** A place to append to: slabs that grow with what is written. */
class Filling {
  slab: Slab | undefined;
  #nextSize = FIRST_SLAB_BYTES;

  next(bytes: number): Slab {
    while (this.#nextSize < bytes) this.#nextSize *= 2;
    this.slab = new Slab(this.#nextSize);
    this.#nextSize = Math.min(this.#nextSize * 2, LARGEST_SLAB_BYTES);
    return this.slab;
  }
}

/**
 * Append-only memory for many small byte strings outside the JavaScript heap. Each is followed by a comma, so that
 * neighbours are the inside of a JSON list as they stand, or by nothing where lists have nothing between their objects. Released bytes are only counted; slabs that became sparse
 * are emptied into the current one in small steps and then left to the garbage collector.
 */
export class Arena {
  /** Bytes behind each thing: a comma, or nothing. */
  readonly gap: 0 | 1;
  readonly #writing = new Filling();
  /** Where things are moved in an order of somebody's choosing; what is written meanwhile must not come between. */
  readonly #ordering = new Filling();
  #sparse: Slab[] = [];
  #liveBytes = 0;
  #usedBytes = 0;

  constructor(gap: 0 | 1 = 1) {
    this.gap = gap;
  }

  /** Bytes of live slots. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  /** Bytes written in all slabs that are not left to the garbage collector. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Copies `bytes` in; the caller makes the slot and passes it to `adopt` before the next call. */
  place(bytes: Buffer, insert?: Insert): Place {
    const size = sizeWith(bytes, insert);
    const slab = this.#roomFor(size + this.gap, this.#writing);
    const offset = slab.used;
    copyWith(bytes, insert, slab.bytes, offset);
    if (this.gap === 1) slab.bytes[offset + size] = COMMA;
    this.#advance(slab, size + this.gap);
    return { slab, offset, size };
  }

  /** Counts a slot just placed as live. */
  adopt(slot: Slot): void {
    slot.live = true;
    slot.slab.slots.push(slot);
    slot.slab.liveBytes += slot.size + this.gap;
    this.#liveBytes += slot.size + this.gap;
  }

  release(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    const { slab } = slot;
    slab.liveBytes -= slot.size + this.gap;
    this.#liveBytes -= slot.size + this.gap;
    if (!this.#isFilling(slab)) this.#check(slab);
  }

  /** Moves about `budget` bytes out of sparse slabs. Returns false when there is nothing left to do. */
  compact(budget: number): boolean {
    for (let left = budget; left > 0; ) {
      const slab = this.#sparse[0];
      if (slab === undefined) return false;
      const slot = slab.slots[slab.moved++];
      if (slot === undefined) {
        this.#sparse.shift();
        this.#drop(slab);
      } else if (slot.live && slot.slab === slab) {
        this.#move(slot, this.#writing);
        left -= slot.size;
      } else left -= DEAD_SLOT_COST;
    }
    return true;
  }

  /** Moves a live slot behind the one moved before it, so that they become neighbours. */
  moveInOrder(slot: Slot): void {
    if (!slot.live) return;
    const from = slot.slab;
    this.#move(slot, this.#ordering);
    if (!this.#isFilling(from)) this.#check(from);
  }

  #move(slot: Slot, filling: Filling): void {
    const from = slot.slab;
    const bytes = slot.size + this.gap;
    const to = this.#roomFor(bytes, filling);
    from.bytes.copy(to.bytes, to.used, slot.offset, slot.offset + bytes);
    from.liveBytes -= bytes;
    slot.slab = to;
    slot.offset = to.used;
    this.#advance(to, bytes);
    to.slots.push(slot);
    to.liveBytes += bytes;
  }

  #advance(slab: Slab, bytes: number): void {
    slab.used += bytes;
    this.#usedBytes += bytes;
  }

  /** A slab with room for `bytes`: the one being filled, a new one, or one for this thing alone. */
  #roomFor(bytes: number, filling: Filling): Slab {
    const full = filling.slab;
    if (full !== undefined && full.used + bytes <= full.bytes.length) return full;
    if (bytes > ALONE_BYTES) return new Slab(bytes);
    const slab = filling.next(bytes);
    if (full !== undefined) this.#check(full);
    return slab;
  }

  #isFilling(slab: Slab): boolean {
    return slab === this.#writing.slab || slab === this.#ordering.slab;
  }

  #check(slab: Slab): void {
    if (slab.sparse || slab.liveBytes >= slab.used * SPARSE_BELOW) return;
    slab.sparse = true;
    if (slab.liveBytes === 0) this.#drop(slab);
    else this.#sparse.push(slab);
  }

  #drop(slab: Slab): void {
    this.#usedBytes -= slab.used;
    slab.slots = [];
  }
}
