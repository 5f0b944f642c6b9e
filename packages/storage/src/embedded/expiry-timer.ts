import type { Cancel, Clock } from '@orch/machinery';

/** Longer delays overflow the runtime's timers. */
const MAX_DELAY_MS = 0x7fffffff;

/**
 * Calls `due` when the wall clock reaches the earliest of the given times, never before; at once for a time in the
 * past.
 */
export class ExpiryTimer {
  readonly #clock: Clock;
  readonly #due: () => void;
  #at = Number.POSITIVE_INFINITY;
  #cancel: Cancel | undefined;

  constructor(clock: Clock, due: () => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** `at` in epoch milliseconds. A time later than the scheduled one has no effect. */
  noLaterThan(at: number | undefined): void {
    if (at === undefined || at >= this.#at) return;
    this.#cancel?.();
    this.#at = at;
    const delayMs = at - this.#clock.now();
    if (delayMs <= 0) this.#fire();
    else this.#cancel = this.#clock.schedule(Math.min(delayMs, MAX_DELAY_MS), () => this.#fire());
  }

  stop(): void {
    this.#cancel?.();
    this.#at = Number.NEGATIVE_INFINITY;
  }

  #fire(): void {
    const at = this.#at;
    this.#at = Number.POSITIVE_INFINITY;
    if (this.#clock.now() < at) this.noLaterThan(at);
    else this.#due();
  }
}
