/** Who is told when a client certificate has changed. */
export class TlsListeners {
  readonly #listeners = new Set<() => void>();

  /** Answers the function that ends it; the same function may be added more than once. */
  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
