import type { Env } from '../env.ts';
import { sleep } from './abort.ts';

/** Waits that double from one failure to the next up to a bound, each shortened by a random part of up to half. */
export class Backoff {
  readonly #env: Pick<Env, 'clock' | 'random'>;
  readonly #firstMs: number;
  readonly #maxMs: number;
  #failures = 0;

  constructor(env: Pick<Env, 'clock' | 'random'>, firstMs: number, maxMs: number) {
    this.#env = env;
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  reset(): void {
    this.#failures = 0;
  }

  /** Counts a failure and returns the delay before the next attempt, in milliseconds. */
  next(): number {
    const full = Math.min(this.#firstMs * 2 ** Math.min(this.#failures++, 30), this.#maxMs);
    return full - this.#env.random.int(Math.floor(full / 2) + 1);
  }

  /** Counts a failure and waits for the delay; rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void> {
    return sleep(this.#env.clock, this.next(), signal);
  }
}
