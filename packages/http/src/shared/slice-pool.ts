/** Size of what is handed to a socket at once: large enough that calls do not count, small enough to keep few of them. */
export const sliceBytes = 256 * 1024;

/** Room in a buffer of the pool beside a slice: for what frames it in HTTP/1.1. */
export const frameBytes = 16;

/**
 * Buffers in which small chunks are joined, used again and again: memory that is fresh for every reply costs more than
 * the copying. Keeps as many as are worth having; what is taken beyond them is left to the garbage collector.
 */
export class SlicePool {
  readonly #free: Buffer[] = [];
  readonly #maxKept: number;

  constructor(maxKept = 16) {
    this.#maxKept = maxKept;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(sliceBytes + frameBytes);
  }

  /** Gives a buffer back, once; nobody may read it any more. */
  give(slice: Buffer): void {
    if (this.#free.length < this.#maxKept) this.#free.push(slice);
  }
}
