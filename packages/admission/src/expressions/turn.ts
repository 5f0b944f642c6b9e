import type { Clock } from '@orch/machinery';

/** Evaluations run for this long before other work gets a turn; a single one takes 10 ms at most. */
const LONG_TURN_MS = 2;

/** How long the evaluations of a write have kept the thread: between two of them they let others run. */
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
