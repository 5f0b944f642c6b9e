import type { Clock } from '@orch/machinery';
import { TokenBucket } from '@orch/machinery/concurrency';
import type { HttpLimits } from '../shared/limits.ts';

/** Resets after which further streams of a connection are answered only when the bytes already received have been read. */
const STRAINED_RESETS = 20;

/** The streams of one connection that its client may reset. */
export class ResetBudget {
  readonly #clock: Clock;
  readonly #all: TokenBucket;
  readonly #strained: TokenBucket;
  #isUsed = false;

  constructor(clock: Clock, { streamResetBurst: burst, streamResetsPerSecond: qps }: HttpLimits) {
    this.#clock = clock;
    this.#all = new TokenBucket({ qps, burst }, clock.monotonic());
    this.#strained = new TokenBucket({ qps, burst: Math.min(burst, STRAINED_RESETS) }, clock.monotonic());
  }

  /** Counts one reset; false when there were too many. */
  spend(): boolean {
    this.#isUsed = true;
    const now = this.#clock.monotonic();
    if (this.#strained.hasToken(now)) this.#strained.take();
    if (!this.#all.hasToken(now)) return false;
    this.#all.take();
    return true;
  }

  /** Reports whether the client resets streams so often that the next one will probably be reset too. */
  isStrained(): boolean {
    return this.#isUsed && !this.#strained.hasToken(this.#clock.monotonic());
  }
}
