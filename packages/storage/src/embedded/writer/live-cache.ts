import type { Revision } from '../../store.ts';

/** The version a present key has now. */
export interface LiveVersion {
  readonly rev: Revision;
  readonly createRevision: Revision;
}

/**
 * Versions of recently written keys, so that a compare needs no query. A value `undefined` means that the key is
 * absent. Bounded: the oldest entry is evicted first.
 */
export class LiveCache {
  readonly #entries = new Map<string, LiveVersion | undefined>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): LiveVersion | undefined {
    return this.#entries.get(key);
  }

  set(key: string, version: LiveVersion | undefined): void {
    this.#entries.set(key, version);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
