import { checkDelay } from '../env/index.ts';
import type { Cancel, Clock } from '../env.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** 2024-01-01T00:00:00Z: the default start time of a fake clock. */
export const FAKE_EPOCH_MS = Date.UTC(2024, 0, 1);

/**
 * A clock that advances only when a test advances it. Timers run in the order of their due times, equal ones as they
 * were set.
 */
export class FakeClock implements Clock {
  #elapsed = 0;
  #order = 0;
  #offset: number;
  readonly #timers = new Set<Timer>();

  constructor(epochMs = FAKE_EPOCH_MS) {
    this.#offset = epochMs;
  }

  now(): number {
    return this.#offset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    checkDelay(delayMs);
    const timer: Timer = { due: this.#elapsed + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The same as `schedule`: a fake timer never keeps the process running. */
  scheduleAwaited(delayMs: number, callback: () => void): Cancel {
    return this.schedule(delayMs, callback);
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves wall time alone, as an operator or NTP does. */
  setWallTime(epochMs: number): void {
    this.#offset = epochMs - this.#elapsed;
  }

  #next(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due > until) continue;
      if (
        first === undefined ||
        timer.due < first.due ||
        (timer.due === first.due && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer);
    this.#elapsed = Math.max(this.#elapsed, timer.due);
    timer.callback();
  }

  /** Moves time forward and runs what falls due, also what that sets in turn. Promises settle afterwards. */
  advance(ms: number): void {
    const until = this.#elapsed + ms;
    for (let timer = this.#next(until); timer !== undefined; timer = this.#next(until)) this.#run(timer);
    this.#elapsed = until;
  }

  /** As `advance`, but lets promise chains run before, between and after the timers: for code that awaits sleeps. */
  async advanceAsync(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await settle();
    for (let timer = this.#next(until); timer !== undefined; timer = this.#next(until)) {
      this.#run(timer);
      await settle();
    }
    this.#elapsed = until;
  }

  /** Runs the earliest timer, moving time to it; false when there is none. */
  runNext(): boolean {
    const timer = this.#next(Infinity);
    if (timer !== undefined) this.#run(timer);
    return timer !== undefined;
  }
}

/** Lets everything run that is ready now: promise callbacks and immediate I/O callbacks. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
