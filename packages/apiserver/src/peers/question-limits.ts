import { type Clock, errors } from '@orch/machinery';
import { TokenBuckets } from '@orch/machinery/concurrency';

/** Maximum number of questions of this replica at a time: each costs a write for every replica. */
const MAX_OPEN = 16;
/** Limits on the requests of a user to other replicas: a burst, and an interval. */
const BURST = 20;
const SECONDS_PER_QUESTION = 5;
/** Users whose rates are known. */
const MAX_USERS = 4096;

/** Limits questions to other replicas: one of a user at a time, their rate, and the number of all. */
export class QuestionLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #open = new Set<string>();
  readonly #rates = new TokenBuckets({ qps: 1 / SECONDS_PER_QUESTION, burst: BURST, buckets: MAX_USERS });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts a question of a user until the result is disposed. Throws a 429 `ApiError` beyond the limits. */
  begin(user: string): Disposable {
    if (this.#open.has(user))
      throw refusal('another request of yours to the other replicas is in progress', 1);
    if (this.#open.size >= MAX_OPEN) throw refusal('too many requests to other replicas are in progress', 1);
    const now = this.#clock.monotonic();
    const rate = this.#rates.of(user, now);
    if (!rate.hasToken(now)) throw refusal('too many requests to other replicas', SECONDS_PER_QUESTION);
    rate.take();
    this.#open.add(user);
    return { [Symbol.dispose]: () => this.#open.delete(user) };
  }
}

const refusal = (problem: string, retryAfterSeconds: number): Error =>
  errors.tooManyRequests(`${problem}; please try again`, retryAfterSeconds);
