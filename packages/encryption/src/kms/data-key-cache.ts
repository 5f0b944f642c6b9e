/** Decrypted data keys by their encrypted form. The least recently used one is removed first. */
export class DataKeyCache<T> {
  readonly #maxKeys: number;
  readonly #keys = new Map<string, T>();
  readonly #loading = new Map<string, Promise<T>>();

  /** Without cached keys, only concurrent calls share one. */
  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#keys.size;
  }

  set(id: string, key: T): void {
    this.#keys.delete(id);
    if (this.#maxKeys === 0) return;
    if (this.#keys.size >= this.#maxKeys) {
      const [oldest] = this.#keys.keys();
      if (oldest !== undefined) this.#keys.delete(oldest);
    }
    this.#keys.set(id, key);
  }

  delete(id: string): void {
    this.#keys.delete(id);
  }

  /** The key, which `load` decrypts when it is missing. A failure is not remembered. */
  get(id: string, load: () => Promise<T>): T | Promise<T> {
    const known = this.#keys.get(id);
    if (known !== undefined) {
      this.#keys.delete(id);
      this.#keys.set(id, known);
      return known;
    }
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
