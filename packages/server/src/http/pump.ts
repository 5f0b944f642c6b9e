/** Size of what is handed to a socket at once: large enough that calls do not count, small enough to keep few of them. */
export const sliceBytes = 256 * 1024;

/** Chunks from here on are passed on as they are. */
const passBytes = 64 * 1024;

/** Where a body goes. */
export interface PumpTarget {
  /** Takes a slice, without copying; false when the target is behind, and `drained` is to be awaited. */
  write(slice: Buffer): boolean;
  /** Every slice given to `write` has left this process. */
  drained(): Promise<void>;
  /** Nobody reads any more. */
  isGone(): boolean;
}

export interface Pumped {
  readonly bytes: number;
  /** Everything was handed over. */
  readonly complete: boolean;
}

/**
 * Writes chunks in order, small ones joined into slices, with back-pressure. Stops when the target is gone. The iterator
 * is always closed. Rejects with what the iterator throws.
 */
export async function pump(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  target: PumpTarget,
): Promise<Pumped> {
  const joiner = new Joiner(target);
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let isExhausted = false;
  try {
    while (!target.isGone()) {
      const step = iterator.next();
      const result = step instanceof Promise ? await step : step;
      if (result.done === true) {
        isExhausted = true;
        joiner.flush();
        return { bytes: joiner.bytes, complete: !target.isGone() };
      }
      if (!joiner.add(result.value)) await joiner.drained();
    }
    return { bytes: joiner.bytes, complete: false };
  } finally {
    if (!isExhausted) await iterator.return?.();
  }
}

/**
 * Copies small chunks into a scratch buffer. Two of them take turns: the one that was written is used again once its
 * bytes have left the process.
 */
class Joiner {
  readonly #target: PumpTarget;
  #scratch: Buffer | undefined;
  #written: Buffer | undefined;
  #spare: Buffer | undefined;
  #filled = 0;
  bytes = 0;

  constructor(target: PumpTarget) {
    this.#target = target;
  }

  /** False when the target is behind; the chunk is taken all the same. */
  add(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (chunk.length >= passBytes) {
      this.flush();
      return this.#target.write(chunk);
    }
    const isOpen = this.#filled + chunk.length <= sliceBytes || this.flush();
    if (this.#scratch === undefined) {
      this.#scratch = this.#spare ?? Buffer.allocUnsafeSlow(sliceBytes);
      this.#spare = undefined;
    }
    this.#scratch.set(chunk, this.#filled);
    this.#filled += chunk.length;
    return isOpen;
  }

  flush(): boolean {
    if (this.#scratch === undefined || this.#filled === 0) return true;
    this.#written = this.#scratch;
    this.#scratch = undefined;
    const slice = this.#written.subarray(0, this.#filled);
    this.#filled = 0;
    return this.#target.write(slice);
  }

  async drained(): Promise<void> {
    await this.#target.drained();
    this.#spare ??= this.#written;
    this.#written = undefined;
  }
}
