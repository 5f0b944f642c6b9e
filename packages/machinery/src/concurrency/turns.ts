import {
  type MonotonicClock,
  type ThreadTurns,
  TURN_MS,
  TurnSchedule,
  type TurnTaker,
} from '../turn-schedule.ts';
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

/** The turns of the thread; own ones when absent. */
interface TurnsEnv {
  readonly clock: MonotonicClock;
  readonly turns?: ThreadTurns;
}

/** Runs long work in the turns of a thread, between which the event loop handles everything else. */
export class Turns {
  readonly #schedule: ThreadTurns;
  readonly #isPatient: boolean;

  /** Work that itself waits for others most of the time is `hurried`: it does not wait for clients that may send something soon. */
  constructor({ clock, turns }: TurnsEnv, pace: 'patient' | 'hurried' = 'patient') {
    this.#schedule = turns ?? new TurnSchedule(clock);
    this.#isPatient = pace === 'patient';
  }

  /** The result of the work; a promise unless the work ends within its first turn. */
  run<T>(work: Work<T>): T | Promise<T> {
    if (this.#schedule.isFree) {
      const began = this.#schedule.now();
      try {
        const step = this.#advance(work, began + TURN_MS);
        if (step.done === true) return step.value;
      } finally {
        this.#schedule.spend(this.#schedule.now() - began);
      }
    }
    const result = deferred<T>();
    const advance = (until: number): boolean => this.#continue(work, until, result);
    this.#schedule.add({ isPatient: this.#isPatient, advance }, { isNew: false });
    return result.promise;
  }

  /** Resolves in the first turn of work that is not divided in any other way. Work that has begun comes first. */
  begin(): Promise<void> {
    return this.#turnOf({ isNew: true });
  }

  /** Resolves in the next turn of work that has begun; the caller does one piece of it at once. */
  next(): Promise<void> {
    return this.#turnOf({ isNew: false });
  }

  #turnOf(order: Parameters<ThreadTurns['add']>[1]): Promise<void> {
    return new Promise((resolve) => {
      const taker: TurnTaker = {
        isPatient: this.#isPatient,
        advance() {
          resolve();
          return true;
        },
      };
      this.#schedule.add(taker, order);
    });
  }

  #advance<T>(work: Work<T>, until: number): IteratorResult<undefined, T> {
    for (;;) {
      const step = work.next();
      if (step.done === true || this.#schedule.now() >= until) return step;
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
