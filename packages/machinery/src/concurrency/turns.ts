import type { Clock } from '../env.ts';
import { type Deferred, deferred } from './deferred.ts';

/** Synchronous work in pieces: it yields between them, so that its caller decides when it continues. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Does all pieces of some work at once. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

const STEPS_OF_A_PIECE = 64;

/** Counts small steps of some work, which yields after some of them: an interruption costs more than such a step. */
export class Pace {
  #left = STEPS_OF_A_PIECE;

  /** Counts a step that takes as long as some small ones. */
  spend(steps: number): void {
    this.#left -= steps;
  }

  /** Counts one step. Whether the piece is long enough, so that the work should yield now. */
  isDue(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = STEPS_OF_A_PIECE;
    return true;
  }
}

/** Work runs for this long before the thread does something else. */
const TURN_MS = 2;

interface Job {
  /** Does pieces until the time; whether the work has ended. */
  advance(until: number): boolean;
}

const nextIteration = (then: () => void): void => void setImmediate(then);

/**
 * Runs long work in turns of some milliseconds, between which the event loop handles everything else. Of several pieces of
 * work one has a turn in each iteration of the event loop, in rotation.
 */
export class Turns {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #next: (then: () => void) => void;
  readonly #jobs: Job[] = [];

  /** `next` calls its argument after other work of the thread. */
  constructor(clock: Pick<Clock, 'monotonic'>, next: (then: () => void) => void = nextIteration) {
    this.#clock = clock;
    this.#next = next;
  }

  /** The result of the work; a promise unless the work ends within its first turn. */
  run<T>(work: Work<T>): T | Promise<T> {
    const isFirst = this.#jobs.length === 0;
    if (isFirst) {
      const step = this.#advance(work, this.#clock.monotonic() + TURN_MS);
      if (step.done === true) return step.value;
    }
    const result = deferred<T>();
    this.#jobs.push({ advance: (until) => this.#continue(work, until, result) });
    if (isFirst) this.#next(() => this.#turn());
    return result.promise;
  }

  #turn(): void {
    const job = this.#jobs.shift();
    if (job === undefined) return;
    if (!job.advance(this.#clock.monotonic() + TURN_MS)) this.#jobs.push(job);
    if (this.#jobs.length > 0) this.#next(() => this.#turn());
  }

  #advance<T>(work: Work<T>, until: number): IteratorResult<undefined, T> {
    for (;;) {
      const step = work.next();
      if (step.done === true || this.#clock.monotonic() >= until) return step;
    }
  }

  #continue<T>(work: Work<T>, until: number, result: Deferred<T>): boolean {
    try {
      const step = this.#advance(work, until);
      if (step.done !== true) return false;
      result.resolve(step.value);
    } catch (error) {
      result.reject(error);
    }
    return true;
  }
}
