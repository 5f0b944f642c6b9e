import type {
  Committed,
  Guard,
  KeyRange,
  Page,
  Revision,
  ScanOptions,
  ScanPart,
  Store,
  WatchBatch,
  Write,
} from '@orch/storage';

/** What the commits of one request are guarded by. */
export interface FenceGuard {
  /** The guard as it is known. */
  current(): Guard;
  /** Called when this guard has failed: finds a newer one, or throws why there is none. */
  renew(failed: Guard): Promise<Guard>;
  /** What is thrown when the guard changed at every try. */
  exhausted(): Error;
}

/** How often a commit is tried of which the guard alone fails: the Lease was renewed in between. */
const MAX_ATTEMPTS = 5;

/** The store of one request: everything that it commits takes effect only while its guard holds. */
export class FencedStore implements Store {
  readonly #store: Store;
  readonly #guard: FenceGuard;

  constructor(store: Store, guard: FenceGuard) {
    this.#store = store;
    this.#guard = guard;
  }

  async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    let guard = this.#guard.current();
    for (let attempt = 1; ; attempt++) {
      const committed = await this.#store.commit({ ...write, guard }, signal);
      if (committed.ok || committed.guardFailed !== true) return committed;
      // The Lease is looked at after the last try too: whoever lost it is told so.
      guard = await this.#guard.renew(guard);
      if (attempt === MAX_ATTEMPTS) throw this.#guard.exhausted();
    }
  }

  get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#store.get(key, signal);
  }

  list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.#store.list(range, options, signal);
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    return this.#store.scan(range, options, signal);
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.#store.watch(range, after, signal);
  }

  currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#store.currentRevision(signal);
  }

  compact(through: Revision, signal: AbortSignal): Promise<void> {
    return this.#store.compact(through, signal);
  }

  size(signal: AbortSignal): ReturnType<Store['size']> {
    return this.#store.size(signal);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
