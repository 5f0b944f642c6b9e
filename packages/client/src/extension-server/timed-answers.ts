import type { Clock } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';

/** Cache duration of a response of the API server. */
const ANSWER_MS = 10_000;
const MAX_ANSWERS = 1_000;

/** Answers of the API server, each used for ten seconds. The oldest are removed beyond a thousand. Failures are not kept. */
export class TimedAnswers<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #answers: BoundedCache<string, { readonly value: T }>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#answers = new BoundedCache({ maxEntries: MAX_ANSWERS, expiry: { ttlMs: ANSWER_MS, clock } });
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known.value;
    // An answer counts from when it was requested: it may be outdated by as much as the request took.
    const since = this.#clock.monotonic();
    const value = await ask();
    this.#answers.set(key, { value }, since);
    return value;
  }
}
