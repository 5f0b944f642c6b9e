import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Cancels a scheduled callback; calling it again, or after the callback ran, does nothing. */
export type Cancel = () => void;

/** Source of time. `now` is wall time in epoch milliseconds; `monotonic` never goes back and has no epoch. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Runs `callback` once, `delayMs` from now. A pending callback does not keep the process alive. */
  schedule(delayMs: number, callback: () => void): Cancel;
}

/** Source of chance. */
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
