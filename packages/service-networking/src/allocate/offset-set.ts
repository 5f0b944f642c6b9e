import type { Random } from '@orch/machinery';

/** Random probes before the set is scanned. */
const GUESSES = 16;

/** A bit set of numbers below `size` that finds absent numbers. */
export class OffsetSet {
  readonly #size: number;
  readonly #bits: Uint8Array;

  constructor(size: number) {
    this.#size = size;
    this.#bits = new Uint8Array(Math.ceil(size / 8));
  }

  has(offset: number): boolean {
    return ((this.#bits[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0;
  }

  add(offset: number): void {
    if (offset < this.#size) this.#bits[offset >> 3] = (this.#bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }

  delete(offset: number): void {
    if (offset < this.#size) this.#bits[offset >> 3] = (this.#bits[offset >> 3] ?? 0) & ~(1 << (offset & 7));
  }

  /** Any number in `[from, to)` that is not in the set; undefined when all of them are. */
  anyAbsent(from: number, to: number, random: Random): number | undefined {
    const count = Math.min(to, this.#size) - from;
    if (count <= 0) return undefined;
    for (let guess = 0; guess < GUESSES; guess++) {
      const offset = from + random.int(count);
      if (!this.has(offset)) return offset;
    }
    const start = random.int(count);
    for (let i = 0; i < count; i++) {
      const offset = from + ((start + i) % count);
      if (!this.has(offset)) return offset;
    }
    return undefined;
  }
}
