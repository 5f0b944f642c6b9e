/** A bounded set of keys that evicts the least recently used one. */
export class RecentKeys {
  readonly #limit: number;
  readonly #keys = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#keys.size;
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#limit) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }

  has(key: string): boolean {
    if (!this.#keys.has(key)) return false;
    this.add(key);
    return true;
  }
}
