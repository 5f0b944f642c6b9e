import type { Clock } from '@orch/machinery';

/** A token bucket for stream resets: `burst` at once, refilled at a steady rate. */
export class ResetBudget {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #filledAt: number;

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#left = burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes one token; false when the bucket is empty. */
  spend(): boolean {
    const now = this.#clock.monotonic();
    this.#left = Math.min(this.#burst, this.#left + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
