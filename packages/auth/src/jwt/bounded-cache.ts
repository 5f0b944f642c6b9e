import type { Clock } from '@orch/machinery';

interface Entry<T> {
  readonly value: T;
  /** Monotonic milliseconds. */
  readonly expires: number;
}

/** Options of `BoundedCache`. */
export interface BoundedCacheOptions {
  readonly maxEntries: number;
  readonly ttlMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Caches values for a fixed time and up to a number of entries; the oldest entry is evicted first. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: BoundedCacheOptions;

  constructor(options: BoundedCacheOptions) {
    this.#options = options;
  }

  get(key: string): T | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    if (this.#options.clock.monotonic() < found.expires) return found.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T): void {
    const { maxEntries, ttlMs, clock } = this.#options;
    // Deleting first moves a replaced entry to the end of the insertion order.
    this.#entries.delete(key);
    if (this.#entries.size >= maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, expires: clock.monotonic() + ttlMs });
  }
}
