import { anySignal, type Clock, DeadlineExceeded, type ScopedSignal } from '@orch/machinery';

/** However slowly an answer goes on, it has at most so many times its deadline. */
const longestFactor = 10;

/**
 * A signal that aborts with its parent, and when nothing was heard for a time, or too little for a long one. Dispose it
 * when the work is over.
 */
export class AnswerDeadline implements Disposable {
  readonly #scope: ScopedSignal;
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #endsAt: number;
  #cancel: () => void = () => {};

  constructor(parent: AbortSignal, clock: Clock, ms: number) {
    this.#scope = anySignal([parent]);
    this.#clock = clock;
    this.#ms = ms;
    this.#endsAt = clock.monotonic() + ms * longestFactor;
    if (!this.#scope.signal.aborted) this.extend();
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** The time begins anew. */
  extend(): void {
    this.#cancel();
    const left = Math.min(this.#ms, this.#endsAt - this.#clock.monotonic());
    this.#cancel = this.#clock.scheduleAwaited(left, () => this.#scope.abort(new DeadlineExceeded(this.#ms)));
  }

  /** There is no deadline any more. */
  lift(): void {
    this.#cancel();
  }

  /** True for what is thrown because the time was over. */
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
