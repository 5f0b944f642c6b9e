import type { Revision } from '../store.ts';

/** The highest revision that any answer of etcd has mentioned: the store has reached it, wherever it is read. */
export class RevisionTracker {
  #latest: Revision = 0;
  readonly #listeners = new Set<() => void>();

  get latest(): Revision {
    return this.#latest;
  }

  observe(rev: Revision): void {
    if (rev <= this.#latest) return;
    this.#latest = rev;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` whenever the revision grew, until the returned function is called. */
  onGrowth(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
