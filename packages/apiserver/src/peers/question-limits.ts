import type { Clock } from '@orch/machinery';
import { TokenBuckets } from '@orch/machinery/concurrency';

/** Maximum number of questions of this replica at a time: each costs a write for every replica. */
const MAX_OPEN = 16;
/** Limits on the requests of a user to other replicas: a burst, and an interval. */
const BURST = 20;
const SECONDS_PER_QUESTION = 5;
/** Users whose rates are known. */
const MAX_USERS = 4096;

/** The reason why a user may not ask now. */
export interface QuestionRefusal {
  readonly problem: string;
  readonly retryAfterSeconds: number;
}

/** Counts the questions of all threads of a process. */
export interface CountQuestions {
  /** Counts a question of a user until `end`, unless it is refused. */
  begin(user: string): Promise<QuestionRefusal | undefined>;
  end(user: string): Promise<void>;
}

/** Limits questions to other replicas: one of a user at a time, their rate, and the number of all. */
export class QuestionLimits implements CountQuestions {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #open = new Set<string>();
  readonly #rates = new TokenBuckets({ qps: 1 / SECONDS_PER_QUESTION, burst: BURST, buckets: MAX_USERS });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  async begin(user: string): Promise<QuestionRefusal | undefined> {
    if (this.#open.has(user))
      return refusal('another request of yours to the other replicas is in progress', 1);
    if (this.#open.size >= MAX_OPEN) return refusal('too many requests to other replicas are in progress', 1);
    const now = this.#clock.monotonic();
    const rate = this.#rates.of(user, now);
    if (!rate.hasToken(now)) return refusal('too many requests to other replicas', SECONDS_PER_QUESTION);
    rate.take();
    this.#open.add(user);
    return undefined;
  }

  async end(user: string): Promise<void> {
    this.#open.delete(user);
  }
}

const refusal = (problem: string, retryAfterSeconds: number): QuestionRefusal => ({
  problem: `${problem}; please try again`,
  retryAfterSeconds,
});
