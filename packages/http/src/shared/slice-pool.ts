import type { Cancel, Clock } from '@orch/machinery';

/** Size of one write to a socket: large enough that the calls are cheap, small enough that few slices are in memory. */
export const SLICE_BYTES = 256 * 1024;

/** Space in a pooled buffer beside the slice, for HTTP/1.1 chunk framing. */
export const FRAME_BYTES = 16;

/** Buffers that are kept while there is nothing to do. */
const IDLE_KEPT = 16;
/** Buffers that are kept while many replies are sent at once. */
const MOST_KEPT = 128;
/** Buffers that nobody has needed for this time are dropped. */
const UNUSED_MS = 2_000;

export interface SlicePoolLimits {
  readonly idle: number;
  readonly most: number;
}

/**
 * Reusable buffers in which small chunks are coalesced. To allocate memory for every reply costs more than to copy: the system has to
 * provide pages and take them back, for which it interrupts the other threads of the process, and the collector runs for each 64 MB. The
 * pool keeps as many buffers as were in use at once, up to a bound, and drops those that were not needed lately.
 */
export class SlicePool {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #limits: SlicePoolLimits;
  #free: Buffer[] = [];
  /** The least number of free buffers since the last look. */
  #unused = 0;
  #cancel: Cancel | undefined;

  constructor(
    clock: Pick<Clock, 'schedule'>,
    limits: SlicePoolLimits = { idle: IDLE_KEPT, most: MOST_KEPT },
  ) {
    this.#clock = clock;
    this.#limits = limits;
  }

  take(): Buffer {
    const slice = this.#free.pop();
    this.#unused = Math.min(this.#unused, this.#free.length);
    return slice ?? Buffer.allocUnsafeSlow(SLICE_BYTES + FRAME_BYTES);
  }

  /** Returns a buffer to the pool, once; it must not be read afterwards. */
  give(slice: Buffer): void {
    if (this.#free.length >= this.#limits.most) return;
    this.#free.push(slice);
    if (this.#free.length > this.#limits.idle) this.#look();
  }

  /** Drops the buffers that are kept, and sets no timer from now on. */
  close(): void {
    this.#cancel?.();
    this.#cancel = () => undefined;
    this.#free = [];
  }

  /** Drops the buffers that are not needed until a moment later, if no look is due before. */
  #look(): void {
    if (this.#cancel !== undefined) return;
    this.#unused = this.#free.length;
    this.#cancel = this.#clock.schedule(UNUSED_MS, () => {
      this.#cancel = undefined;
      const { idle } = this.#limits;
      this.#free.splice(0, Math.max(0, Math.min(this.#unused, this.#free.length - idle)));
      if (this.#free.length > idle) this.#look();
    });
  }
}
