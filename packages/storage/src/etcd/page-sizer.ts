/** Bytes that one answer of etcd should have: enough to be worth its overhead, small enough to be held. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Assumed of a range that was never read. */
const UNKNOWN_AVERAGE_BYTES = 32 * 1024;
/** Bounds what one answer can become where large values follow small ones: etcd puts it together before it sends it. */
const MAX_KEYS = 2_000;
const MAX_REMEMBERED = 512;

/**
 * Guesses how many keys make an answer of the right size: etcd limits answers by keys only. Remembers by the end of
 * a range how large its items were: that is what the pages of one list, and later lists, have in common.
 */
export class PageSizer {
  readonly #averageBytes = new Map<string, number>();

  /** Keys to ask for, when at most `keys` and about `bytes` are wanted. */
  limit(rangeEnd: string, keys: number, bytes: number): number {
    const average = this.#averageBytes.get(rangeEnd) ?? UNKNOWN_AVERAGE_BYTES;
    const fitting = Math.ceil(Math.min(bytes, CHUNK_BYTES) / average);
    return Math.max(1, Math.min(keys, fitting, MAX_KEYS));
  }

  /** Learns from an answer. */
  learn(rangeEnd: string, keys: number, bytes: number): void {
    if (keys === 0) return;
    if (this.#averageBytes.size >= MAX_REMEMBERED && !this.#averageBytes.has(rangeEnd))
      this.#averageBytes.clear();
    this.#averageBytes.set(rangeEnd, Math.max(1, bytes / keys));
  }

  /** An answer for `keys` keys was too large to be taken. */
  overshot(rangeEnd: string, keys: number): void {
    this.#averageBytes.set(rangeEnd, (2 * CHUNK_BYTES) / keys);
  }
}
