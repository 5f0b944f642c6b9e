import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';

const MIN_SLEEP_MS = 1;

/** Limits the rate of requests: turns are spread evenly, in the order of the calls. */
export class Pace {
  readonly #clock: Clock;
  readonly #stepMs: number;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#stepMs = 1000 / perSecond;
  }

  /** Resolves when the caller may proceed. Rejects with the reason of the signal. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#stepMs;
    if (at - now >= MIN_SLEEP_MS) await sleep(this.#clock, at - now, signal);
  }
}
