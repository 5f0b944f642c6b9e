import type { Cancel, Clock } from '@orch/machinery';

/** The clock of one machine, with its own speed and wall time, and of a process that can be suspended. */
export class ProcessClock implements Clock {
  readonly #base: Clock;
  readonly #rate: number;
  readonly #offsetMs: number;
  #isPaused = false;
  #late: (() => void)[] = [];

  constructor(base: Clock, rate: number, offsetMs: number) {
    this.#base = base;
    this.#rate = rate;
    this.#offsetMs = offsetMs;
  }

  now(): number {
    return this.#base.now() + this.#offsetMs;
  }

  /** Continues while the process is suspended. */
  monotonic(): number {
    return this.#base.monotonic() * this.#rate;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    let isCancelled = false;
    const cancel = this.#base.schedule(delayMs / this.#rate, () =>
      this.whenRunning(() => {
        if (!isCancelled) callback();
      }),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  scheduleAwaited(delayMs: number, callback: () => void): Cancel {
    return this.schedule(delayMs, callback);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
  }

  /** Runs overdue timers in the given order: a resumed process may receive its messages first. */
  resume(order: (late: (() => void)[]) => (() => void)[]): void {
    this.#isPaused = false;
    for (const callback of order(this.#late.splice(0))) callback();
  }

  /** Calls back now, or when the process is resumed. */
  whenRunning(callback: () => void): void {
    if (this.#isPaused) this.#late.push(callback);
    else callback();
  }
}
