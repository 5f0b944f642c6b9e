import type { Clock } from '@orch/machinery';
import { anySignal, DeadlineExceeded, type ScopedSignal } from '@orch/machinery/concurrency';

/** A slow response may take at most this many times its deadline. */
const LONGEST_FACTOR = 10;

/**
 * A signal that aborts with its parent, and when no data arrived for the deadline, or too little for several of them.
 * Dispose it when the work has ended.
 */
export class ResponseDeadline implements Disposable {
  readonly #scope: ScopedSignal;
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #endsAt: number;
  #cancel: () => void = () => {};

  constructor(parent: AbortSignal, clock: Clock, ms: number) {
    this.#scope = anySignal([parent]);
    this.#clock = clock;
    this.#ms = ms;
    this.#endsAt = clock.monotonic() + ms * LONGEST_FACTOR;
    if (!this.#scope.signal.aborted) this.extend();
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** Restarts the deadline. */
  extend(): void {
    this.#cancel();
    const left = Math.min(this.#ms, this.#endsAt - this.#clock.monotonic());
    this.#cancel = this.#clock.scheduleAwaited(left, () => this.#scope.abort(new DeadlineExceeded(this.#ms)));
  }

  /** Removes the deadline. */
  lift(): void {
    this.#cancel();
  }

  /** Reports whether an error was thrown because of the deadline. */
  caused(error: unknown): boolean {
    return (
      this.signal.aborted && this.signal.reason instanceof DeadlineExceeded && error === this.signal.reason
    );
  }

  [Symbol.dispose](): void {
    this.#cancel();
    this.#scope[Symbol.dispose]();
  }
}
