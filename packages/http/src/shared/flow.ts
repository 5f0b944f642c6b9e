import type { Writable } from 'node:stream';
import { type Deadline, type DeadlineQueue, disarm } from '@orch/request';

/**
 * Back-pressure of one socket or stream: says when the client is behind, waits until it has caught up, and cuts it off
 * when it takes nothing for the stall time.
 */
export class Flow {
  readonly #writable: Writable;
  #stalls: DeadlineQueue;
  readonly #cut: () => void;
  #stall: Deadline | undefined;
  #waiting: (() => void)[] = [];
  #listening = false;
  #closed = false;

  /** `cut` ends the connection or stream; `closed` is to be called in consequence. */
  constructor(writable: Writable, stalls: DeadlineQueue, cut: () => void) {
    this.#writable = writable;
    this.#stalls = stalls;
    this.#cut = cut;
  }

  /** Unsent bytes are below the mark. To be asked after every write: a client that is behind is timed from here on. */
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

  /** Which queue times a client that is behind, from the next time on that it is. */
  timeBy(stalls: DeadlineQueue): void {
    this.#stalls = stalls;
  }

  /** Resolves when everything written has left this process, or when there is nobody left to write to. */
  drained(): Promise<void> {
    if (this.isOpen()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The last byte was written: from here on the client is timed until it has taken everything, and `closed` is called. */
  ending(): void {
    if (!this.#closed) this.#stall ??= this.#stalls.arm(this.#cut);
  }

  /** Nothing can be written any more: releases who waits. */
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

/** `flow.drained()`, given up with the signal's reason. */
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
