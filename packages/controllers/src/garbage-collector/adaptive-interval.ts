import type { Clock } from '@orch/machinery';
import { anySignal, type Deferred, deferred, sleep } from '@orch/machinery/concurrency';

const MIN_MS = 1_000;

/** Waits of a fixed interval. After `shorten` the interval is short, and doubles with each wait up to the fixed one. */
export class AdaptiveInterval {
  readonly #clock: Clock;
  readonly #maxMs: number;
  #intervalMs: number;
  #shortened: Deferred<void> = deferred();

  constructor(clock: Clock, maxMs: number) {
    this.#clock = clock;
    this.#maxMs = maxMs;
    this.#intervalMs = maxMs;
  }

  /** Makes the next wait short, also one that has begun. A wait that is short already is not extended. */
  shorten(): void {
    if (this.#intervalMs <= MIN_MS) return;
    this.#intervalMs = Math.min(MIN_MS, this.#maxMs);
    this.#shortened.resolve();
  }

  /** Resolves after the interval, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ms = this.#intervalMs;
      this.#shortened = deferred();
      using scope = anySignal([signal]);
      const elapsed = sleep(this.#clock, ms, scope.signal).then(
        () => true,
        () => signal.aborted,
      );
      const isOver = await Promise.race([elapsed, this.#shortened.promise.then(() => false)]);
      scope.abort(new Error('the wait has ended'));
      if (!isOver) continue;
      this.#intervalMs = Math.min(this.#maxMs, this.#intervalMs * 2);
      return;
    }
  }
}
