/** Runs work of the same key one after another, and work of different keys concurrently. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(key, result);
    const release = (): void => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(release, release);
    return result;
  }
}
