import type { Writable } from 'node:stream';
import { type Deadline, type DeadlineQueue, disarm } from '@orch/machinery/concurrency';

/**
 * Back-pressure of one socket or stream: reports that the client is behind, waits until it has caught up, and
 * disconnects it when it reads nothing for the stall timeout.
 */
export class Flow {
  readonly #writable: Writable;
  #stalls: DeadlineQueue;
  readonly #cut: () => void;
  #stall: Deadline | undefined;
  #waiting: (() => void)[] = [];
  #listening = false;
  #closed = false;

  /** `cut` closes the connection or stream; `closed` must be called as a result. */
  constructor(writable: Writable, stalls: DeadlineQueue, cut: () => void) {
    this.#writable = writable;
    this.#stalls = stalls;
    this.#cut = cut;
  }

  /** Reports whether unsent bytes are below the mark. Must be called after every write: it starts the stall timeout of a slow client. */
  isOpen(): boolean {
    if (!this.#writable.writableNeedDrain) return true;
    if (this.#closed) return true;
    if (!this.#listening) {
      this.#listening = true;
      this.#writable.on('drain', () => this.#release());
    }
    this.#stall ??= this.#stalls.arm(this.#cut);
    return false;
  }

  /** Sets the stall timeout, from the next time that the client is behind. */
  timeBy(stalls: DeadlineQueue): void {
    this.#stalls = stalls;
  }

  /** Resolves when everything written has left this process, or the target is closed. */
  drained(): Promise<void> {
    if (this.isOpen()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The last byte was written: the stall timeout runs until the client has read everything, and `closed` is called. */
  ending(): void {
    if (!this.#closed) this.#stall ??= this.#stalls.arm(this.#cut);
  }

  /** The target is closed: resolves all waiting calls. */
  closed(): void {
    this.#closed = true;
    this.#release();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  #release(): void {
    disarm(this.#stall);
    this.#stall = undefined;
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** `flow.drained()`, rejected with the signal's reason on abort. */
export function drainedOrAborted(flow: Flow, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    void flow.drained().then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
