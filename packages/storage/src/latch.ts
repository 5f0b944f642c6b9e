/**
 * Wakes one waiting loop. `wake` while nobody waits is remembered once, so that a change between looking and waiting
 * is never missed.
 */
export class Latch {
  #pending = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve === undefined) this.#pending = true;
    else resolve();
  }

  /** Resolves at the next `wake`, or at once when there was one since the last wait. One caller at a time. */
  wait(): Promise<void> {
    if (this.#pending) {
      this.#pending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
