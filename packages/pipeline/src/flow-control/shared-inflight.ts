const READ_ONLY = 0;
const MUTATING = 1;

/** The numbers of requests in flight in all threads of a process, read-only and mutating ones separately. */
export class SharedInflight {
  static readonly bytes = 2 * Int32Array.BYTES_PER_ELEMENT;
  readonly #counts: Int32Array<SharedArrayBuffer>;

  /** `memory` has `bytes` bytes, and all threads have the same. */
  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  /** Returns the number with this request. */
  begin(isReadOnly: boolean): number {
    return Atomics.add(this.#counts, indexOf(isReadOnly), 1) + 1;
  }

  end(isReadOnly: boolean): void {
    Atomics.sub(this.#counts, indexOf(isReadOnly), 1);
  }
}

const indexOf = (isReadOnly: boolean): number => (isReadOnly ? READ_ONLY : MUTATING);
