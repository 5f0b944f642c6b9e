/** A resource that is disposed once it is no longer needed and the calls that use it have ended. */
export class UsedResource<T extends Disposable> implements Disposable {
  readonly value: T;
  #users = 0;
  #isDisposed = false;

  constructor(value: T) {
    this.value = value;
  }

  /** Keeps the resource until `work` has ended. */
  async use<R>(work: (value: T) => R | Promise<R>): Promise<R> {
    this.#users += 1;
    try {
      return await work(this.value);
    } finally {
      this.#users -= 1;
      this.#disposeUnused();
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#disposeUnused();
  }

  #disposeUnused(): void {
    if (this.#isDisposed && this.#users === 0) this.value[Symbol.dispose]();
  }
}
