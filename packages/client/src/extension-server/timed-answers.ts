import type { Clock } from '@orch/machinery';

/** Cache duration of a response of the API server. */
const ANSWER_MS = 10_000;
const MAX_ANSWERS = 1_000;

interface Answer<T> {
  readonly value: T;
  /** By the monotonic clock. */
  readonly untilMs: number;
}

/** Answers of the API server, each used for ten seconds. The oldest are removed beyond a thousand. Failures are not kept. */
export class TimedAnswers<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #answers = new Map<string, Answer<T>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined && known.untilMs > this.#clock.monotonic()) return known.value;
    // An answer counts from when it was requested: it may be outdated by as much as the request took.
    const untilMs = this.#clock.monotonic() + ANSWER_MS;
    const value = await ask();
    this.#answers.delete(key);
    this.#answers.set(key, { value, untilMs });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    return value;
  }
}
