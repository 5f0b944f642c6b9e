import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Cancels a scheduled callback; calling it again, or after the callback ran, does nothing. */
export type Cancel = () => void;

/** Source of time. `now` is wall time in epoch milliseconds; `monotonic` never goes back and has no epoch. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /**
   * Runs `callback` once, `delayMs` from now, for work in the background: idle connections, refreshes, limits of what
   * keeps the process running by itself. A pending callback does not keep the process running.
   */
  schedule(delayMs: number, callback: () => void): Cancel;
  /**
   * As `schedule`, where a caller awaits what the callback does: a retry, a deadline. A pending callback keeps the process
   * running, so cancel it when no caller awaits it any more.
   */
  scheduleAwaited(delayMs: number, callback: () => void): Cancel;
}

/** Source of random numbers. */
export interface Random {
  bytes(count: number): Buffer;
  uuid(): string;
  /** A whole number in `[0, below)`. */
  int(below: number): number;
}

/** Everything that is not a pure function of its input: injected, so that a cluster can run in a simulation. */
export interface Env {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
}
