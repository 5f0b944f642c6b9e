import { type Env, errors } from '@orch/machinery';
import { abortable, sleep, withDeadline } from '@orch/machinery/concurrency';

const DEADLINE_MS = 10_000;
/** Minimum interval of searches: any client can name a key that does not exist. */
const GAP_MS = 1000;
const MOST_WAITING = 256;

/** A search for keys that requests with unknown keys share: one at a time, at an interval. */
export class SharedSearch {
  readonly #env: Pick<Env, 'clock'>;
  readonly #search: (signal: AbortSignal) => Promise<unknown>;
  #next: Promise<void> | undefined;
  #waiting = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(env: Pick<Env, 'clock'>, search: (signal: AbortSignal) => Promise<unknown>) {
    this.#env = env;
    this.#search = search;
  }

  /** Resolves after a search that began after the call. Rejects with an `ApiError` (429) when too many requests wait. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#waiting >= MOST_WAITING)
      throw errors.tooManyRequests('too many tokens with unknown keys; please try again', 1);
    this.#next ??= Promise.resolve().then(() => this.#run());
    this.#waiting++;
    try {
      await abortable(this.#next, signal);
    } finally {
      this.#waiting--;
    }
  }

  async #run(): Promise<void> {
    const { clock } = this.#env;
    using deadline = withDeadline(new AbortController().signal, clock, DEADLINE_MS);
    try {
      const wait = this.#last + GAP_MS - clock.monotonic();
      if (wait > 0) await sleep(clock, wait, deadline.signal);
    } finally {
      // Later calls may need keys that this search does not see.
      this.#next = undefined;
      this.#last = clock.monotonic();
    }
    await this.#search(deadline.signal);
  }
}
