import type { Insert } from '../types.ts';
import type { SharedPlace } from './adopted-slabs.ts';
import {
  COMMA,
  copyWith,
  type NextPlace,
  ownMemory,
  type Place,
  type Slab,
  type SlabMemory,
  type SlabOwner,
  type Slot,
  sizeWith,
} from './slab.ts';

const FIRST_SLAB_BYTES = 64 * 1024;
const LARGEST_SLAB_BYTES = 2 * 1024 * 1024;
/** Larger byte strings get a separate slab, so that the unused end of a slab stays small. */
const ALONE_BYTES = LARGEST_SLAB_BYTES / 8;
/** A full slab whose share of live bytes is lower is compacted: at most a seventh of the bytes in full slabs is unused. */
const SPARSE_BELOW = 0.85;
/** The cost of skipping a released slot, in bytes copied. */
const DEAD_SLOT_COST = 16;

/** The slab that bytes are appended to. Each new slab is twice as large as the one before, up to a limit. */
class Appender {
  slab: Slab | undefined;
  readonly #memory: SlabMemory;
  #nextSize = FIRST_SLAB_BYTES;

  constructor(memory: SlabMemory) {
    this.#memory = memory;
  }

  next(bytes: number): Slab {
    while (this.#nextSize < bytes) this.#nextSize *= 2;
    this.slab = this.#memory.allocate(this.#nextSize);
    this.#nextSize = Math.min(this.#nextSize * 2, LARGEST_SLAB_BYTES);
    return this.slab;
  }
}

/**
 * Append-only memory for many small byte strings outside the JavaScript heap. Each string is followed by a comma, so
 * that adjacent strings form the content of a JSON list without copying, or by nothing for encodings without a
 * separator. Released bytes are only counted. Sparse slabs are compacted into the current one in small steps and then
 * left to the garbage collector.
 */
export class Arena implements SlabOwner {
  /** Bytes after each string: 1 for a comma, 0 for nothing. */
  readonly gap: 0 | 1;
  readonly #memory: SlabMemory;
  readonly #writing: Appender;
  /** Target of `moveInOrder`, separate from `#writing` so that concurrent writes do not come between ordered strings. */
  readonly #ordering: Appender;
  #sparse: Slab[] = [];
  #liveBytes = 0;
  #usedBytes = 0;

  constructor(gap: 0 | 1 = 1, memory: SlabMemory = ownMemory) {
    this.gap = gap;
    this.#memory = memory;
    this.#writing = new Appender(memory);
    this.#ordering = new Appender(memory);
  }

  /** Bytes of live slots. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  /** Bytes written in all slabs that are still referenced by the arena. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Copies `bytes` into the arena. The caller creates the slot and passes it to `adopt` before the next call. */
  place(bytes: Buffer, insert?: Insert): Place {
    const size = sizeWith(bytes, insert);
    const slab = this.#roomFor(size + this.gap, this.#writing);
    const offset = slab.used;
    copyWith(bytes, insert, slab.bytes, offset);
    if (this.gap === 1) slab.bytes[offset + size] = COMMA;
    this.#advance(slab, size + this.gap);
    return { slab, offset, size };
  }

  /** The place of bytes that another thread has written; a copy of them when that thread no longer keeps them. */
  placeAt({ slab, offset, size }: SharedPlace): Place {
    const now = slab.placeOf(offset);
    if (now === undefined) return this.place(slab.bytes.subarray(offset, offset + size));
    return { slab: now.slab.partOf(this), offset: now.offset, size };
  }

  /** Makes a live slot refer to the same bytes at a place where another thread has written them. */
  moveTo(slot: Slot, { slab, offset }: SharedPlace): void {
    const now = slot.live ? slab.placeOf(offset) : undefined;
    if (now === undefined) return;
    const from = slot.slab;
    const part = now.slab.partOf(this);
    if (part === from && now.offset === slot.offset) return;
    this.#seat(slot, part, now.offset);
    if (!this.#isAppendedTo(from)) this.#check(from);
  }

  vacate(slab: Slab, next: (offset: number) => NextPlace | undefined): void {
    for (const slot of slab.slots) {
      if (!slot.live || slot.slab !== slab) continue;
      const now = next(slot.offset);
      if (now === undefined) this.#move(slot, this.#writing);
      else this.#seat(slot, now.slab.partOf(this), now.offset);
    }
    slab.slots = [];
  }

  /** The arena is no longer used; its slots keep their bytes. */
  end(): void {
    this.#memory.end();
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
    if (!this.#isAppendedTo(slab)) this.#check(slab);
  }

  /** Moves about `budget` bytes out of sparse slabs. Returns false when no sparse slab is left. */
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

  /** Moves a live slot directly after the slot of the previous call, so that they are adjacent. */
  moveInOrder(slot: Slot): void {
    if (!slot.live) return;
    const from = slot.slab;
    this.#move(slot, this.#ordering);
    if (!this.#isAppendedTo(from)) this.#check(from);
  }

  #move(slot: Slot, appender: Appender): void {
    const from = slot.slab;
    const bytes = slot.size + this.gap;
    const to = this.#roomFor(bytes, appender);
    from.bytes.copy(to.bytes, to.used, slot.offset, slot.offset + bytes);
    from.sharing?.moved.push({ from: slot.offset, slot });
    this.#seat(slot, to, to.used);
    this.#advance(to, bytes);
  }

  /** Makes a live slot refer to a copy of its bytes in another slab. */
  #seat(slot: Slot, to: Slab, offset: number): void {
    const bytes = slot.size + this.gap;
    slot.slab.liveBytes -= bytes;
    slot.slab = to;
    slot.offset = offset;
    to.slots.push(slot);
    to.liveBytes += bytes;
  }

  #advance(slab: Slab, bytes: number): void {
    slab.used += bytes;
    this.#usedBytes += bytes;
  }

  /** A slab with room for `bytes`: the current one, a new one, or a separate one for a large string. */
  #roomFor(bytes: number, appender: Appender): Slab {
    const full = appender.slab;
    if (full !== undefined && full.used + bytes <= full.bytes.length) return full;
    if (bytes > ALONE_BYTES) return this.#memory.allocate(bytes);
    const slab = appender.next(bytes);
    if (full !== undefined) this.#check(full);
    return slab;
  }

  #isAppendedTo(slab: Slab): boolean {
    return slab === this.#writing.slab || slab === this.#ordering.slab;
  }

  /** Schedules a slab that became sparse for compaction. */
  #check(slab: Slab): void {
    if (slab.sparse || slab.liveBytes >= slab.used * SPARSE_BELOW) return;
    slab.sparse = true;
    if (slab.liveBytes === 0) this.#drop(slab);
    else this.#sparse.push(slab);
  }

  #drop(slab: Slab): void {
    this.#usedBytes -= slab.used;
    slab.slots = [];
    this.#memory.dropped(slab);
  }
}
