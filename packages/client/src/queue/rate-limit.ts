import type { Clock } from '@orch/machinery';

export interface RateLimitOptions {
  /** Wait after the first failure of a key; it doubles with each further one. */
  readonly firstMs?: number;
  /** The longest wait, also of a key that many others wait before: what fails for long is still tried this often. */
  readonly maxMs?: number;
  /** Retries a second of all keys together, beyond a burst. */
  readonly perSecond?: number;
  readonly burst?: number;
}

const defaults = { firstMs: 5, maxMs: 15_000, perSecond: 100, burst: 1000 };

/** How long a key waits before it is tried again: by its own failures, and by how many are tried again at all. */
export class RateLimit<K> {
  readonly #clock: Clock;
  readonly #options: Required<RateLimitOptions>;
  readonly #failures = new Map<K, number>();
  /** When the bucket has given out everything that it had; behind the clock while there is something left. */
  #emptyAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: RateLimitOptions = {}) {
    this.#clock = clock;
    this.#options = { ...defaults, ...options };
  }

  /** Counts a failure and answers how long to wait. */
  next(key: K): number {
    const { firstMs, maxMs } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = firstMs * 2 ** Math.min(failures, 40);
    return Math.min(maxMs, Math.max(own, this.#bucketMs()));
  }

  #bucketMs(): number {
    const { perSecond, burst, maxMs } = this.#options;
    const now = this.#clock.monotonic();
    const stepMs = 1000 / perSecond;
    // Never further ahead than the longest wait: a storm of failures does not slow down what comes after it.
    this.#emptyAt = Math.min(Math.max(this.#emptyAt, now - burst * stepMs) + stepMs, now + maxMs);
    return Math.max(0, this.#emptyAt - now);
  }

  forget(key: K): void {
    this.#failures.delete(key);
  }

  failures(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Keys with failures. */
  get size(): number {
    return this.#failures.size;
  }
}
