/** Size of one write to a socket: large enough that the calls are cheap, small enough that few slices are in memory. */
export const SLICE_BYTES = 256 * 1024;

/** Space in a pooled buffer beside the slice, for HTTP/1.1 chunk framing. */
export const FRAME_BYTES = 16;

/**
 * Reusable buffers in which small chunks are coalesced: allocating memory for every reply costs more than
 * copying. Keeps a bounded number; buffers beyond it are left to the garbage collector.
 */
export class SlicePool {
  readonly #free: Buffer[] = [];
  readonly #maxKept: number;

  constructor(maxKept = 16) {
    this.#maxKept = maxKept;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(SLICE_BYTES + FRAME_BYTES);
  }

  /** Returns a buffer to the pool, once; it must not be read afterwards. */
  give(slice: Buffer): void {
    if (this.#free.length < this.#maxKept) this.#free.push(slice);
  }
}
