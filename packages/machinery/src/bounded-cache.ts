import type { Clock } from './env.ts';

/** Options of `BoundedCache`. */
export interface BoundedCacheOptions<V> {
  /** No limit when absent; a cache of no entries keeps nothing. */
  readonly maxEntries?: number;
  /** Limits the sum of the sizes of the values, in bytes for instance. */
  readonly size?: { readonly max: number; readonly of: (value: V) => number };
  /** Values expire this long after they were set. Without it, they are kept until they are evicted. */
  readonly expiry?: { readonly ttlMs: number; readonly clock: Pick<Clock, 'monotonic'> };
  /** Evicts the entry that was not used for the longest time; otherwise the entry that was set first. */
  readonly leastRecentlyUsed?: boolean;
  /** Is called with each value that is evicted because a limit is exceeded. */
  readonly onEvict?: (value: V) => void;
}

interface Entry<K, V> {
  readonly key: K;
  value: V;
  size: number;
  /** Monotonic milliseconds; undefined without expiry. */
  expires: number | undefined;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

/**
 * Values by key, up to a number of entries or a size. The entries are linked in the order of eviction, since a Map is slow at both
 * things that its own order requires: finding the first key after many deletions, and adding a key again that was deleted.
 */
export class BoundedCache<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>();
  readonly #options: BoundedCacheOptions<V>;
  readonly #isByUse: boolean;
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;
  #total = 0;

  constructor(options: BoundedCacheOptions<V>) {
    this.#options = options;
    this.#isByUse = options.leastRecentlyUsed === true;
  }

  /** The number of entries. Expired ones are counted until they are read or evicted. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, which counts as a use. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isExpired(entry)) return undefined;
    if (this.#isByUse) this.#moveToEnd(entry);
    return entry.value;
  }

  /** Whether the key has a value, which does not count as a use. */
  has(key: K): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && !this.#isExpired(entry);
  }

  /** Sets or replaces a value; the entry is the last one to be evicted. The value expires as if it had been set at `since`. */
  set(key: K, value: V, since?: number): void {
    const { size, expiry } = this.#options;
    const entry = this.#entries.get(key) ?? this.#add(key, value);
    this.#total -= entry.size;
    entry.value = value;
    entry.size = size === undefined ? 0 : size.of(value);
    entry.expires = expiry && (since ?? expiry.clock.monotonic()) + expiry.ttlMs;
    this.#total += entry.size;
    this.#moveToEnd(entry);
    this.#evict();
  }

  /** Removes a value, and returns it. */
  delete(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(entry);
    return entry.value;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#total = 0;
  }

  /** Removes the entry if it is expired. */
  #isExpired(entry: Entry<K, V>): boolean {
    const { expires } = entry;
    const { expiry } = this.#options;
    if (expires === undefined || expiry === undefined || expiry.clock.monotonic() < expires) return false;
    this.#remove(entry);
    return true;
  }

  #evict(): void {
    const { maxEntries, size, onEvict } = this.#options;
    while (this.#oldest !== undefined) {
      const isFull = maxEntries !== undefined && this.#entries.size > maxEntries;
      if (!isFull && (size === undefined || this.#total <= size.max)) return;
      const { value } = this.#oldest;
      this.#remove(this.#oldest);
      onEvict?.(value);
    }
  }

  #add(key: K, value: V): Entry<K, V> {
    const entry: Entry<K, V> = {
      key,
      value,
      size: 0,
      expires: undefined,
      older: undefined,
      newer: undefined,
    };
    this.#entries.set(key, entry);
    this.#append(entry);
    return entry;
  }

  #remove(entry: Entry<K, V>): void {
    this.#entries.delete(entry.key);
    this.#total -= entry.size;
    this.#unlink(entry);
  }

  #moveToEnd(entry: Entry<K, V>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #append(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<K, V>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    // A removed entry would keep the later ones in memory until it is collected itself.
    entry.older = undefined;
    entry.newer = undefined;
  }
}
