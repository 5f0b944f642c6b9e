import { BoundedCache } from '@orch/machinery/bounded-cache';

/** Decrypted data keys by their encrypted form. The one that was not used for the longest time is removed first. */
export class DataKeyCache<T> {
  readonly #keys: BoundedCache<string, T>;
  readonly #loading = new Map<string, Promise<T>>();

  /** Without cached keys, only concurrent calls share one. */
  constructor(maxKeys: number) {
    this.#keys = new BoundedCache({ maxEntries: maxKeys, leastRecentlyUsed: true });
  }

  get size(): number {
    return this.#keys.size;
  }

  set(id: string, key: T): void {
    this.#keys.set(id, key);
  }

  delete(id: string): void {
    this.#keys.delete(id);
  }

  /** The key, which `load` decrypts when it is missing. A failure is not remembered. */
  get(id: string, load: () => Promise<T>): T | Promise<T> {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const pending = this.#loading.get(id);
    if (pending !== undefined) return pending;
    const loaded = this.#load(id, load);
    this.#loading.set(id, loaded);
    return loaded;
  }

  async #load(id: string, load: () => Promise<T>): Promise<T> {
    try {
      const key = await load();
      this.set(id, key);
      return key;
    } finally {
      this.#loading.delete(id);
    }
  }
}
