import { copyBytes } from '@orch/machinery';
import type { Insert } from '../types.ts';

/** The location of a byte string. Compaction changes it; views taken before stay valid, since bytes are never overwritten. */
export interface Slot {
  slab: Slab;
  offset: number;
  readonly size: number;
  /** Counted in the slab's `liveBytes`. A slot that is not live keeps its bytes while it is referenced, but is not moved. */
  live: boolean;
}

/** The location of a new copy. */
export type Place = Pick<Slot, 'slab' | 'offset' | 'size'>;

/** A buffer that is filled from the front. No byte of it is written twice. */
export class Slab {
  readonly bytes: Buffer;
  /** Present when other threads read the bytes. */
  readonly sharing: SlabSharing | undefined;
  used = 0;
  /** Bytes of live slots, including the commas after them. */
  liveBytes = 0;
  slots: Slot[] = [];
  /** Number of slots at the front that compaction has processed. */
  moved = 0;
  /** Waits for compaction, or was dropped. */
  sparse = false;

  readonly #weight: ArrayBuffer | undefined;

  constructor(
    bytes: Buffer,
    options: { readonly sharing?: SlabSharing; readonly weight?: ArrayBuffer } = {},
  ) {
    this.bytes = bytes;
    this.sharing = options.sharing;
    this.#weight = options.weight;
  }

  /** Bytes that the collector of this thread counts for the slab beside those of its buffer. */
  get weight(): number {
    return this.#weight?.byteLength ?? 0;
  }
}

/**
 * Makes the collector of this thread count the bytes of a shared slab, for as long as the thread refers to it. The engine counts shared
 * memory in no thread: without this, a thread that has dropped many slabs frees them only at the next collection that something else
 * causes. The memory is reserved and never touched, so that it takes no page.
 */
export const weightOf = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes, { maxByteLength: bytes });

/** A slab for the threads that read its bytes. */
export interface SlabSharing {
  /** Number of the slab in the process. */
  readonly id: number;
  readonly buffer: SharedArrayBuffer;
  /** Slots that compaction has moved to another slab, with their offsets in this one. */
  readonly moved: MovedSlot[];
}

export interface MovedSlot {
  readonly from: number;
  readonly slot: Slot;
}

/** Allocates the slabs of arenas. An arena reports each slab that it drops. */
export interface SlabMemory {
  allocate(bytes: number): Slab;
  /** The arena has no live slot in the slab any more. */
  dropped(slab: Slab): void;
  /** The arena is no longer used. */
  end(): void;
}

/** The arena of slots in a slab that another thread has written. */
export interface SlabOwner {
  /** Gives each live slot in the slab the place that `next` returns for its offset, or a copy when there is none. */
  vacate(slab: Slab, next: (offset: number) => NextPlace | undefined): void;
}

export interface NextPlace {
  readonly slab: { partOf(owner: SlabOwner): Slab };
  readonly offset: number;
}

/** Memory of this thread only. */
export const ownMemory: SlabMemory = {
  allocate: (bytes) => new Slab(Buffer.allocUnsafeSlow(bytes)),
  dropped: () => undefined,
  end: () => undefined,
};

export const COMMA = 0x2c;

/** A slab that holds exactly one byte string, outside of any arena. */
export function slabOf(bytes: Buffer, insert?: Insert): Slab {
  const size = sizeWith(bytes, insert);
  const slab = ownMemory.allocate(size + 1);
  copyWith(bytes, insert, slab.bytes, 0);
  slab.bytes[size] = COMMA;
  slab.used = size + 1;
  return slab;
}

/** Length of `bytes` with `insert` applied. */
export function sizeWith(bytes: Buffer, insert: Insert | undefined): number {
  if (insert === undefined) return bytes.length;
  return bytes.length + insert.text.length - (insert.resume - insert.offset);
}

/** Copies `bytes` with `insert` applied to the offset `at` of `to`. */
export function copyWith(bytes: Buffer, insert: Insert | undefined, to: Buffer, at: number): void {
  if (insert === undefined) {
    copyBytes(bytes, to, at);
    return;
  }
  const { offset, text, resume } = insert;
  bytes.copy(to, at, 0, offset);
  to.write(text, at + offset, 'latin1');
  bytes.copy(to, at + offset + text.length, resume);
}
