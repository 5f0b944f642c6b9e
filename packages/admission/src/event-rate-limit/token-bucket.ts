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
