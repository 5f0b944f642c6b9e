import { abortable, type Deferred, deferred } from '@orch/machinery/concurrency';
import { eventKey, type KeyRange, type KvEvent, type Revision, type Store, StoreError } from '@orch/storage';

/** The keys of a store that have changed since they were taken last, each with its last event. */
export class SourceChanges {
  readonly #store: Pick<Store, 'watch'>;
  readonly #range: KeyRange;
  #changed = new Map<string, KvEvent | undefined>();
  #reached: Revision;
  #keepsEvents = false;
  #waiting: { readonly rev: Revision; readonly reached: Deferred<void> } | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(store: Pick<Store, 'watch'>, range: KeyRange, after: Revision) {
    this.#store = store;
    this.#range = range;
    this.#reached = after;
  }

  /** Collects changes until the signal aborts, or until history is lost, which `take` and `reached` report. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) await this.#watch(signal);
    } catch (error) {
      this.#failure = { error };
      this.#waiting?.reached.reject(error);
    }
  }

  /** The changed keys since the last call. The events are there from the second call on, so that memory is bounded before. */
  take(): ReadonlyMap<string, KvEvent | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const taken = this.#changed;
    this.#changed = new Map();
    this.#keepsEvents = true;
    return taken;
  }

  /** Resolves when all changes up to `rev` were collected. */
  async reached(rev: Revision, signal: AbortSignal): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#reached >= rev) return;
    const reached = deferred();
    reached.promise.catch(() => undefined);
    this.#waiting = { rev, reached };
    await abortable(reached.promise, signal);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    try {
      for await (const { rev, events } of this.#store.watch(this.#range, this.#reached, signal)) {
        for (const event of events) this.#changed.set(eventKey(event), this.#keepsEvents ? event : undefined);
        this.#reached = rev;
        if (this.#waiting !== undefined && rev >= this.#waiting.rev) this.#waiting.reached.resolve();
      }
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
    }
  }
}
