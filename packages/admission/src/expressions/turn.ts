import type { Clock } from '@orch/machinery';

/** Evaluations run for this long before other work gets a turn; a single one takes 10 ms at most. */
const LONG_TURN_MS = 2;

/** The time for which the evaluations of a write have blocked the thread: between two of them other work runs. */
export class Turn {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #began: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  get isLong(): boolean {
    return this.#clock.monotonic() - this.#began > LONG_TURN_MS;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = this.#clock.monotonic();
  }
}
