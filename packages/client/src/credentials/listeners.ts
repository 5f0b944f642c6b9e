/** Listeners for changes of a client certificate. */
export class TlsListeners {
  readonly #listeners = new Set<() => void>();

  /** Returns the function that removes it; the same function can be added several times. */
  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
