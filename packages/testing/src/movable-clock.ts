import type { Cancel, Clock } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';

interface Timer {
  /** By the monotonic time of the clock. */
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** Turns of the event loop that the work after a timer has at most. */
const MOST_TURNS = 2_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The time of the system and what a test has moved it forward by. */
export class MovableClock implements Clock {
  #aheadMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #isBusy: () => boolean;

  /** `isBusy` reports whether work that a timer has caused goes on. */
  constructor(isBusy: () => boolean = () => false) {
    this.#isBusy = isBusy;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  /** How far it is ahead of the system. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    return this.#schedule(delayMs, callback, (run) => systemClock.schedule(delayMs, run));
  }

  scheduleAwaited(delayMs: number, callback: () => void): Cancel {
    return this.#schedule(delayMs, callback, (run) => systemClock.scheduleAwaited(delayMs, run));
  }

  #schedule(delayMs: number, callback: () => void, start: (run: () => void) => Cancel): Cancel {
    const end = (): void => {
      this.#timers.delete(timer);
      cancel();
    };
    const run = (): void => {
      end();
      callback();
    };
    const cancel = start(run);
    const timer = { due: this.monotonic() + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return end;
  }

  /**
   * Moves the time forward at once, as for a machine that was suspended: timers that have fallen due run once, in the order of their
   * times. The work of one is awaited before the next one, unless it takes long.
   */
  async advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the time must be a number of at least 0');
    await this.#settled();
    this.#aheadMs += ms;
    const now = this.monotonic();
    const due = [...this.#timers].filter((timer) => timer.due <= now);
    for (const timer of due.sort((a, b) => a.due - b.due || a.order - b.order)) {
      // An earlier one may have cancelled it.
      if (!this.#timers.has(timer)) continue;
      timer.run();
      await this.#settled();
    }
  }

  async #settled(): Promise<void> {
    await nextTurn();
    for (let turns = 1; turns < MOST_TURNS && this.#isBusy(); turns++) await nextTurn();
  }
}
