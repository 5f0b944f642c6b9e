import type { Clock, Logger } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import type { Place } from './place.ts';
import { readUntilKnown } from './record-follower.ts';

/** Shorter than any move to another store and back can take while this server is registered as running. */
const RECENT_MS = 1_000;

/**
 * Reads the record of a shared store before events are passed on, when it was not read recently: a server that was stopped may
 * receive events of a content that has replaced the one that it knows. At most one read a second, for all watches.
 */
export class ConfirmedEvents {
  readonly #env: { readonly clock: Clock; readonly log: Logger };
  readonly #onFailure: (error: unknown) => void;
  #place: Place | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(env: { readonly clock: Clock; readonly log: Logger }, onFailure: (error: unknown) => void) {
    this.#env = env;
    this.#onFailure = onFailure;
  }

  /** Rejects when the content of a shared place is not the known one. Undefined when nothing has to be read. */
  confirm(place: Place, signal: AbortSignal): Promise<void> | undefined {
    // The content of a store that was left does not change until the move.
    if (place.next !== undefined) return undefined;
    if (this.#place !== place)
      [this.#place, this.#reading, this.#confirmedAt] = [place, undefined, Number.NEGATIVE_INFINITY];
    return this.#isRecent() ? undefined : this.#confirm(place, signal);
  }

  #isRecent(): boolean {
    return this.#env.clock.monotonic() - this.#confirmedAt < RECENT_MS;
  }

  async #confirm(place: Place, signal: AbortSignal): Promise<void> {
    // A read that was in progress may have been answered before the process was stopped.
    if (this.#reading !== undefined) await abortable(this.#reading, signal);
    if (place.next !== undefined || this.#isRecent()) return;
    this.#reading ??= this.#read(place);
    await abortable(this.#reading, signal);
  }

  async #read(place: Place): Promise<void> {
    const since = this.#env.clock.monotonic();
    const { signal } = new AbortController();
    try {
      const found = await readUntilKnown(place, this.#env, signal);
      if (found === undefined || place.next !== undefined) return;
      const failure = place.failureOf(found);
      if (failure !== undefined) {
        this.#onFailure(failure);
        throw failure;
      }
      if (place === this.#place) this.#confirmedAt = since;
    } finally {
      if (place === this.#place) this.#reading = undefined;
    }
  }
}
