/**
 * Releases one waiting loop. `set` without a waiter is kept for the next `wait`, so that a change between a check and
 * the wait is never missed.
 */
export class AutoResetEvent {
  #isSet = false;
  #resolve: (() => void) | undefined;

  set(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve === undefined) this.#isSet = true;
    else resolve();
  }

  /** Resolves at the next `set`, or at once when there was one since the last wait. One caller at a time. */
  wait(): Promise<void> {
    if (this.#isSet) {
      this.#isSet = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
