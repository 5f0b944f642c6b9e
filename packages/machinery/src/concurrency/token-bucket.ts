import { BoundedCache } from '../bounded-cache.ts';

/** Rate of a bucket in tokens per second, and its size. */
export interface BucketRate {
  readonly qps: number;
  readonly burst: number;
}

/** A bucket that is full at first and is refilled at a fixed rate. Times are monotonic, in milliseconds. */
export class TokenBucket {
  readonly #rate: BucketRate;
  #tokens: number;
  #refilledAt: number;

  constructor(rate: BucketRate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#refilledAt = now;
  }

  hasToken(now: number): boolean {
    const { qps, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) * qps) / 1000);
    this.#refilledAt = now;
    return this.#tokens >= 1;
  }

  /** Requires a token. */
  take(): void {
    this.#tokens--;
  }
}

export interface TokenBucketsOptions extends BucketRate {
  /** Maximum number of buckets. */
  readonly buckets: number;
}

/**
 * A bucket for each key. The bucket that was not used for the longest time is removed when there are too many; its key then starts
 * with a full bucket again.
 */
export class TokenBuckets {
  readonly #options: TokenBucketsOptions;
  readonly #byKey: BoundedCache<string, TokenBucket>;

  constructor(options: TokenBucketsOptions) {
    this.#options = options;
    this.#byKey = new BoundedCache({ maxEntries: options.buckets, leastRecentlyUsed: true });
  }

  of(key: string, now: number): TokenBucket {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(this.#options, now);
    this.#byKey.set(key, bucket);
    return bucket;
  }
}
