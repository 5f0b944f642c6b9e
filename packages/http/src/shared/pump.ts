import { copyBytes } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import { SLICE_BYTES, type SlicePool } from './slice-pool.ts';

/** Chunks from this size on are written without a copy. */
const PASS_BYTES = 64 * 1024;

/** Size of the buffer in which small chunks are coalesced until they fill it: the head and the end of a list are smaller. */
const SMALL_BYTES = 4 * 1024;

/** The destination of a body. */
export interface PumpTarget {
  /**
   * Writes a slice without copying, and calls `written` when its bytes have left this process (or the target failed);
   * false when the target is behind; `drained` must be awaited then.
   */
  write(slice: Buffer, written?: (error?: Error | null) => void): boolean;
  /** Resolves when every slice given to `write` has left this process. */
  drained(): Promise<void>;
  /** The target is closed. */
  isGone(): boolean;
  /** Buffers for coalescing small chunks. */
  readonly slices: SlicePool;
  /** For all slices but the first. */
  readonly turns: Turns;
}

export interface Pumped {
  readonly bytes: number;
  /** All chunks were written. */
  readonly complete: boolean;
}

/**
 * Writes chunks in order, with back-pressure; small ones are coalesced into slices. Each slice after the first, and each chunk after an empty
 * one, waits for a turn. The pump stops when the target is closed, closes the iterator in any case, and rejects with what the iterator
 * throws. `head` is written first, coalesced with the first chunks, and does not count as part of the body.
 */
export async function pump(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  target: PumpTarget,
  head?: Buffer,
): Promise<Pumped> {
  const joiner = new Joiner(target);
  if (head !== undefined) joiner.add(head);
  const headBytes = joiner.bytes;
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let isExhausted = false;
  let written = 0;
  try {
    while (!target.isGone()) {
      if (joiner.written > written) {
        written = joiner.written;
        await target.turns.next();
      }
      const step = iterator.next();
      const result = step instanceof Promise ? await step : step;
      if (result.done === true) {
        isExhausted = true;
        joiner.flush();
        return { bytes: joiner.bytes - headBytes, complete: !target.isGone() };
      }
      if (result.value.length === 0) await target.turns.next();
      else {
        if (joiner.endsBefore(result.value)) {
          // Bytes that are written behind others that have not left are encrypted when those have: outside of a turn.
          if (!joiner.flush()) await target.drained();
          written = joiner.written;
          await target.turns.next();
        }
        if (!joiner.add(result.value)) await target.drained();
      }
    }
    return { bytes: joiner.bytes - headBytes, complete: false };
  } finally {
    if (!isExhausted) await iterator.return?.();
  }
}

/**
 * Copies small chunks into one buffer: a small one, and a pooled one when they fill it. A pooled buffer returns to the pool when its bytes
 * have left the process.
 */
class Joiner {
  readonly #target: PumpTarget;
  #scratch: Buffer | undefined;
  #isPooled = false;
  #filled = 0;
  bytes = 0;
  /** Slices that were written. */
  written = 0;

  constructor(target: PumpTarget) {
    this.#target = target;
  }

  /** Whether the chunks before this one are a slice of their own. */
  endsBefore(chunk: Buffer): boolean {
    return this.#filled > 0 && chunk.length >= PASS_BYTES;
  }

  /** False when the target is behind; the chunk is accepted in any case. */
  add(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (chunk.length >= PASS_BYTES) {
      this.flush();
      this.written += 1;
      return this.#target.write(chunk);
    }
    const isOpen = this.#filled + chunk.length <= SLICE_BYTES || this.flush();
    copyBytes(chunk, this.#roomFor(chunk.length), this.#filled);
    this.#filled += chunk.length;
    return isOpen;
  }

  flush(): boolean {
    const scratch = this.#scratch;
    if (scratch === undefined) return true;
    const isPooled = this.#isPooled;
    const slice = scratch.subarray(0, this.#filled);
    this.#scratch = undefined;
    this.#isPooled = false;
    this.#filled = 0;
    this.written += 1;
    if (!isPooled) return this.#target.write(slice);
    // After a failure the target may still reference the buffer: it is not reused.
    return this.#target.write(slice, (error) => {
      if (!error) this.#target.slices.give(scratch);
    });
  }

  /** The buffer, with room for more bytes behind those that it has. */
  #roomFor(bytes: number): Buffer {
    if (this.#scratch !== undefined && this.#filled + bytes <= this.#scratch.length) return this.#scratch;
    const small = this.#scratch;
    this.#isPooled = this.#filled + bytes > SMALL_BYTES;
    this.#scratch = this.#isPooled ? this.#target.slices.take() : Buffer.allocUnsafe(SMALL_BYTES);
    if (small !== undefined) this.#scratch.set(small.subarray(0, this.#filled));
    return this.#scratch;
  }
}
