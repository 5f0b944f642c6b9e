import type { Revision } from '../../store.ts';

/** The highest revision in any answer of etcd: the store has reached it. */
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

  /** Calls `listener` whenever the revision has increased, until the returned function is called. */
  onGrowth(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
