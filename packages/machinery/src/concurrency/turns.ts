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

/** After turns of this duration together, everything else has as much time, while there is anything else to do. */
const TURNS_BEFORE_OTHERS_MS = TURN_MS + 1;
/** Other work of an iteration of the event loop that takes less is only the iteration itself: a small request takes more. */
const ITERATION_MS = 0.03;
/**
 * The thread has nothing else to do when nothing happens for this part of the turns before. The part doubles after each pause in which
 * there was other work, and halves after each other one: a client that sends a request after each answer has nothing to do for the
 * thread until it has read the answer.
 */
const IDLE_PART: Patience = { least: 0.1, most: 0.5 };

/** Bounds of the part of some turns for which nothing else happens before there is the next one. */
export interface Patience {
  readonly least: number;
  readonly most: number;
}

/** For work that itself waits for others most of the time: it does not wait for clients that may send something soon. */
export const noPatience: Patience = { least: 0, most: 0 };

/** New work begins at the latest after this number of turns of work that has begun. */
const TURNS_BEFORE_NEW = 4;

interface Job {
  /** Does pieces until the time; whether the work has ended. */
  advance(until: number): boolean;
}

const nextIteration = (then: () => void): void => void setImmediate(then);

/**
 * Runs long work in turns of some milliseconds, between which the event loop handles everything else. Of several pieces of
 * work one has a turn in each iteration of the event loop, in rotation. Turns are followed by as many iterations as others need to
 * have as much time.
 */
export class Turns {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #next: (then: () => void) => void;
  readonly #patience: Patience;
  readonly #begun: Job[] = [];
  readonly #new: Job[] = [];
  #turnsOfBegun = 0;
  /** The duration of the turns since others had their time. */
  #turnsMs = 0;
  #idlePart: number;
  #isScheduled = false;

  /** `next` calls its argument after other work of the thread. */
  constructor(clock: Pick<Clock, 'monotonic'>, next = nextIteration, patience = IDLE_PART) {
    this.#clock = clock;
    this.#next = next;
    this.#patience = patience;
    this.#idlePart = patience.least;
  }

  /** The result of the work; a promise unless the work ends within its first turn. */
  run<T>(work: Work<T>): T | Promise<T> {
    if (!this.#isScheduled) {
      const step = this.#advance(work, this.#clock.monotonic() + TURN_MS);
      if (step.done === true) return step.value;
    }
    const result = deferred<T>();
    this.#add(this.#begun, { advance: (until) => this.#continue(work, until, result) });
    return result.promise;
  }

  /** Resolves in the first turn of work that is not divided in any other way. Work that has begun comes first. */
  begin(): Promise<void> {
    return this.#turnOf(this.#new);
  }

  /** Resolves in the next turn of work that has begun; the caller does one piece of it at once. */
  next(): Promise<void> {
    return this.#turnOf(this.#begun);
  }

  #turnOf(jobs: Job[]): Promise<void> {
    return new Promise((resolve) => {
      const advance = (): boolean => {
        resolve();
        return true;
      };
      this.#add(jobs, { advance });
    });
  }

  #add(jobs: Job[], job: Job): void {
    jobs.push(job);
    if (!this.#isScheduled) this.#schedule();
  }

  #schedule(): void {
    this.#isScheduled = true;
    let began = 0;
    this.#next(() => {
      began = this.#clock.monotonic();
      this.#turn(began + TURN_MS);
    });
    // In the same iteration, after everything that the turn has resolved.
    this.#next(() => this.#turned(began));
  }

  #turn(until: number): void {
    const isForNew = this.#begun.length === 0 || this.#turnsOfBegun >= TURNS_BEFORE_NEW;
    const job = (isForNew ? this.#new.shift() : undefined) ?? this.#begun.shift();
    this.#turnsOfBegun = isForNew ? 0 : this.#turnsOfBegun + 1;
    if (job !== undefined && !job.advance(until)) this.#begun.push(job);
  }

  #turned(began: number): void {
    if (this.#begun.length + this.#new.length === 0) {
      this.#isScheduled = false;
      this.#turnsMs = 0;
      return;
    }
    const ended = this.#clock.monotonic();
    this.#turnsMs += ended - began;
    if (this.#turnsMs <= TURNS_BEFORE_OTHERS_MS) this.#schedule();
    else this.#letOthers({ ended, turnsMs: this.#turnsMs, last: ended, idleMs: 0, isUsed: false });
  }

  /** Continues when others have had their part of the time, or have nothing to do. */
  #letOthers(pause: Pause): void {
    const { ended, turnsMs, last } = pause;
    this.#next(() => {
      const now = this.#clock.monotonic();
      const isIdle = now - last < ITERATION_MS;
      const idleMs = isIdle ? pause.idleMs + now - last : 0;
      const isUsed = pause.isUsed || !isIdle;
      if (now - ended < turnsMs && idleMs <= turnsMs * this.#idlePart) {
        this.#letOthers({ ended, turnsMs, last: now, idleMs, isUsed });
        return;
      }
      const { least, most } = this.#patience;
      this.#idlePart = isUsed ? Math.min(this.#idlePart * 2, most) : Math.max(this.#idlePart / 2, least);
      this.#turnsMs = 0;
      this.#schedule();
    });
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

/** The time between two turns. */
interface Pause {
  readonly ended: number;
  /** The duration of the turns before. */
  readonly turnsMs: number;
  /** The previous iteration of the event loop. */
  readonly last: number;
  /** The time since others did something. */
  readonly idleMs: number;
  /** Others have done something. */
  readonly isUsed: boolean;
}
