import { anySignal, type Clock, type Deferred, deferred, sleep } from '@orch/machinery';

const SHORTEST_MS = 1_000;

/** Pauses of a fixed length, and shorter ones, which grow again, after something has happened. */
export class Pace {
  readonly #clock: Clock;
  readonly #longestMs: number;
  #pauseMs: number;
  #woken: Deferred<void> = deferred();

  constructor(clock: Clock, longestMs: number) {
    this.#clock = clock;
    this.#longestMs = longestMs;
    this.#pauseMs = longestMs;
  }

  /** The next pause is short, also when a long one has begun. One that is short already is not made longer. */
  quicken(): void {
    if (this.#pauseMs <= SHORTEST_MS) return;
    this.#pauseMs = Math.min(SHORTEST_MS, this.#longestMs);
    this.#woken.resolve();
  }

  /** Resolves after the pause, or when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ms = this.#pauseMs;
      this.#woken = deferred();
      using scope = anySignal([signal]);
      const over = sleep(this.#clock, ms, scope.signal).then(
        () => true,
        () => signal.aborted,
      );
      const isOver = await Promise.race([over, this.#woken.promise.then(() => false)]);
      scope.abort(new Error('woken'));
      if (!isOver) continue;
      this.#pauseMs = Math.min(this.#longestMs, this.#pauseMs * 2);
      return;
    }
  }
}
