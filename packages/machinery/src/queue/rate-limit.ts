import type { Clock, Random } from '../env.ts';
import { checkFiniteOptions } from '../finite-number.ts';

/** The delays after failures of a key, and the limit for all keys. */
export interface RateLimitOptions {
  /** Delay after the first failure of a key; it doubles with each further one. */
  readonly firstMs?: number;
  /** Maximum delay, also under the overall limit: keys that fail for long are still retried at this interval. */
  readonly maxMs?: number;
  /** Retries per second of all keys together, beyond a burst. */
  readonly perSecond?: number;
  readonly burst?: number;
  /** Shortens each delay by a random part of up to half, so that replicas do not retry at the same time. */
  readonly random?: Pick<Random, 'int'>;
}

const defaults = { firstMs: 5, maxMs: 15_000, perSecond: 100, burst: 1000 };

/** Delays of retries: by the failures of the key, and by an overall limit. */
export class RateLimit<K> {
  readonly #clock: Clock;
  readonly #options: Required<Omit<RateLimitOptions, 'random'>>;
  readonly #random: RateLimitOptions['random'];
  readonly #failures = new Map<K, number>();
  /** The time at which the token bucket was empty; before the current time while it has tokens. */
  #emptyAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: RateLimitOptions = {}) {
    checkFiniteOptions(options, ['firstMs', 'maxMs', 'burst'], { least: 0 });
    checkFiniteOptions(options, ['perSecond'], { above: 0 });
    this.#clock = clock;
    const { random, ...limits } = options;
    this.#random = random;
    this.#options = { ...defaults, ...limits };
  }

  /** Counts a failure and returns the delay. */
  next(key: K): number {
    const { firstMs, maxMs } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = firstMs * 2 ** Math.min(failures, 40);
    const full = Math.min(maxMs, Math.max(own, this.#bucketMs()));
    return full - (this.#random?.int(Math.floor(full / 2) + 1) ?? 0);
  }

  #bucketMs(): number {
    const { perSecond, burst, maxMs } = this.#options;
    const now = this.#clock.monotonic();
    const stepMs = 1000 / perSecond;
    // At most the maximum delay ahead: many failures do not delay later keys beyond it.
    this.#emptyAt = Math.min(Math.max(this.#emptyAt, now - burst * stepMs) + stepMs, now + maxMs);
    return Math.max(0, this.#emptyAt - now);
  }

  forget(key: K): void {
    this.#failures.delete(key);
  }

  failures(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Number of keys with failures. */
  get size(): number {
    return this.#failures.size;
  }
}
