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

/** A buffer that is filled from the front. */
export class Slab {
  readonly bytes: Buffer;
  used = 0;
  /** Bytes of live slots, including the commas after them. */
  liveBytes = 0;
  slots: Slot[] = [];
  /** Number of slots at the front that compaction has processed. */
  moved = 0;
  /** Waits for compaction, or was dropped. */
  sparse = false;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }
}

export const COMMA = 0x2c;

/** A slab that holds exactly one byte string, outside of any arena. */
export function slabOf(bytes: Buffer, insert?: Insert): Slab {
  const size = sizeWith(bytes, insert);
  const slab = new Slab(size + 1);
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
    bytes.copy(to, at);
    return;
  }
  const { offset, text, resume } = insert;
  bytes.copy(to, at, 0, offset);
  to.write(text, at + offset, 'latin1');
  bytes.copy(to, at + offset + text.length, resume);
}
