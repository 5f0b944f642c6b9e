import { BoundedCache } from '@orch/machinery/bounded-cache';

/** Target size of an answer of etcd: large relative to its overhead, small relative to memory. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Assumed size of an item of a range that was never read. */
const UNKNOWN_AVERAGE_BYTES = 32 * 1024;
/** Bounds the size of an answer when large values come after small ones: etcd buffers it completely. */
const MAX_KEYS = 2_000;
const MAX_RANGES = 512;

/**
 * Estimates the number of keys of an answer of the target size: etcd limits answers by keys only. Caches item sizes by
 * the end of a range, which the pages of one list, and later lists, have in common.
 */
export class PageSizer {
  readonly #averageBytes = new BoundedCache<string, number>({ maxEntries: MAX_RANGES });

  /** Number of keys to request for at most `keys` keys and about `bytes` bytes. */
  limit(rangeEnd: string, keys: number, bytes: number): number {
    const average = this.#averageBytes.get(rangeEnd) ?? UNKNOWN_AVERAGE_BYTES;
    const fitting = Math.ceil(Math.min(bytes, CHUNK_BYTES) / average);
    return Math.max(1, Math.min(keys, fitting, MAX_KEYS));
  }

  /** Updates the estimate from an answer. */
  record(rangeEnd: string, keys: number, bytes: number): void {
    if (keys === 0) return;
    this.#averageBytes.set(rangeEnd, Math.max(1, bytes / keys));
  }

  /** An answer of `keys` keys was too large. */
  overshot(rangeEnd: string, keys: number): void {
    this.#averageBytes.set(rangeEnd, (2 * CHUNK_BYTES) / keys);
  }
}
