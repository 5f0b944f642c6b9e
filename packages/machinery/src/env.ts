import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ThreadTurns } from './turn-schedule.ts';

/** Cancels a scheduled callback; calling it again, or after the callback ran, does nothing. */
export type Cancel = () => void;

/** Source of time. `now` is wall time in epoch milliseconds; `monotonic` never goes back and has no epoch. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** The time for which this thread has worked, and not waited for anything; absent where that is unknown. */
  active?(): number;
  /**
   * Runs `callback` once, `delayMs` from now, for background work: idle connections, refreshes, limits on work that
   * keeps the process running by itself. A pending callback does not keep the process running.
   */
  schedule(delayMs: number, callback: () => void): Cancel;
  /**
   * As `schedule`, when a caller awaits the effect of the callback: a retry, a deadline. A pending callback keeps the
   * process running, so cancel it when no caller awaits it any longer.
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

/** All inputs that are not arguments: injected, so that a cluster can run in a simulation. */
export interface Env {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The turns of all long work of the thread; when absent, each part of a program has its own. */
  readonly turns?: ThreadTurns;
  /** Is told of all work queues; absent outside of tests. */
  readonly work?: WorkObserver;
}

/** A queue of keys whose work is observed. */
export interface ObservedQueue {
  readonly name: string;
  /** Number of ready keys. */
  readonly size: number;
  /** Number of keys that are being processed. */
  readonly working: number;
  /** Number of keys whose last processing failed, so that they wait for another one. */
  readonly failing: number;
}

/** Observes the queues of a program, so that a test can wait until nothing remains to be done. */
export interface WorkObserver {
  /** Called with each new queue. The returned function is called when the queue has ended. */
  opened(queue: ObservedQueue): () => void;
}
