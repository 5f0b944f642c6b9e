const LOCK = 0;
const GENERATION = 1;
const FREE = 0;
const TAKEN = 1;

/** Time after which the thread that has the file is known to have ended. */
const TAKEN_MS = 1000;

/** A file that several threads write: they take turns, and learn when one of them has replaced the file. */
export class SharedFile {
  static readonly bytes = 2 * Int32Array.BYTES_PER_ELEMENT;
  readonly #state: Int32Array<SharedArrayBuffer>;

  /** `memory` has `bytes` bytes, and all threads have the same. */
  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  /** The number of times that the file was replaced. */
  get generation(): number {
    return Atomics.load(this.#state, GENERATION);
  }

  replaced(): void {
    Atomics.add(this.#state, GENERATION, 1);
  }

  /** Runs work while no other thread does: work of microseconds, like a write. */
  alone<T>(work: () => T): T {
    while (Atomics.compareExchange(this.#state, LOCK, FREE, TAKEN) !== FREE)
      if (Atomics.wait(this.#state, LOCK, TAKEN, TAKEN_MS) === 'timed-out') break;
    try {
      return work();
    } finally {
      Atomics.store(this.#state, LOCK, FREE);
      Atomics.notify(this.#state, LOCK, 1);
    }
  }
}
