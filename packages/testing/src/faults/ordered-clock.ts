import type { Cancel, Clock } from '@orch/machinery';
import { checkDelay } from '@orch/machinery/env';

interface Timer {
  readonly due: number;
  readonly order: number;
  /** Whether a caller awaits it, so that it keeps the process running. */
  readonly isAwaited: boolean;
  readonly run: () => void;
}

/** Turns of the event loop without a pending request after which the work of a timer has ended. */
const QUIET_TURNS = 10;
/** A request that takes longer no longer holds up the timers, of which one may be its deadline. */
const LONGEST_REQUEST_MS = 2_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A clock whose timers run one at a time in the order of their times, each after the work of the one before and the requests of it have
 * ended. Its time stands still between timers. It is never ahead of the clock below it, and behind while the machine is slow: the load
 * of the machine changes neither the order nor the times.
 */
export class OrderedClock implements Clock {
  readonly #base: Clock;
  /** The time of the clock below at which this one started, and how far this one has come since. */
  readonly #start: { readonly now: number; readonly monotonic: number };
  #elapsed = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #pending = 0;
  #isRunning = false;
  /** Timers that a caller awaits. */
  #awaited = 0;
  #armed: { readonly due: number; readonly isAwaited: boolean; readonly cancel: Cancel } | undefined;

  constructor(base: Clock) {
    this.#base = base;
    this.#start = { now: base.now(), monotonic: base.monotonic() };
  }

  now(): number {
    return this.#start.now + this.#elapsed;
  }

  monotonic(): number {
    return this.#start.monotonic + this.#elapsed;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    return this.#add(delayMs, callback, false);
  }

  scheduleAwaited(delayMs: number, callback: () => void): Cancel {
    return this.#add(delayMs, callback, true);
  }

  /** Moves the time forward at once. Timers that have fallen due run in their order. */
  jump(ms: number): void {
    this.#elapsed += ms;
    this.#arm();
  }

  /** Timers wait until the returned function is called: a request is under way. */
  hold(): () => void {
    this.#pending++;
    let isHeld = true;
    return () => {
      if (isHeld) this.#pending--;
      isHeld = false;
    };
  }

  #add(delayMs: number, run: () => void, isAwaited: boolean): Cancel {
    checkDelay(delayMs);
    const timer = { due: this.#elapsed + Math.max(0, delayMs), order: this.#order++, isAwaited, run };
    this.#timers.add(timer);
    if (isAwaited) this.#awaited++;
    this.#arm(timer.due);
    return () => {
      if (this.#remove(timer)) this.#arm();
    };
  }

  #remove(timer: Timer): boolean {
    if (timer.isAwaited && this.#timers.has(timer)) this.#awaited--;
    return this.#timers.delete(timer);
  }

  get #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (
        first === undefined ||
        timer.due < first.due ||
        (timer.due === first.due && timer.order < first.order)
      )
        first = timer;
    return first;
  }

  /** Waits for the next timer. A timer that is due later than it changes nothing. */
  #arm(added = Number.NEGATIVE_INFINITY): void {
    const isAwaited = this.#awaited > 0;
    const armed = this.#armed;
    if (this.#isRunning || (armed !== undefined && armed.due <= added && armed.isAwaited === isAwaited))
      return;
    armed?.cancel();
    const due = this.#next?.due;
    if (due === undefined) {
      this.#armed = undefined;
      return;
    }
    const waitMs = Math.max(0, due - this.#passed);
    const run = (): void => void this.#run();
    const cancel = isAwaited ? this.#base.scheduleAwaited(waitMs, run) : this.#base.schedule(waitMs, run);
    this.#armed = { due, isAwaited, cancel };
  }

  /** The time that has passed on the clock below since the start. */
  get #passed(): number {
    return this.#base.monotonic() - this.#start.monotonic;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#armed = undefined;
    await this.#settled();
    const timer = this.#next;
    if (timer !== undefined && timer.due <= this.#passed) {
      this.#remove(timer);
      this.#elapsed = Math.max(this.#elapsed, timer.due);
      timer.run();
    }
    this.#isRunning = false;
    this.#arm();
  }

  async #settled(): Promise<void> {
    const until = this.#base.monotonic() + LONGEST_REQUEST_MS;
    for (let quiet = 0; quiet < QUIET_TURNS && this.#base.monotonic() < until; quiet++) {
      await nextTurn();
      if (this.#pending > 0) quiet = 0;
    }
  }
}
