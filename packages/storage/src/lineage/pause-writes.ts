import type { Clock } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { type Revision, StoreError } from '../store.ts';
import { changeRecord } from './change-record.ts';
import { endPause } from './end-pause.ts';
import type { Migration } from './migration.ts';
import type { MovableStore } from './movable-store.ts';
import type { Backend, Place } from './place.ts';
import { readStoreRecord, type StoredRecord } from './store-record.ts';

/** A store whose writes are paused until one of the functions is called. */
export interface PausedStore {
  /** The revision of the last write, as clients see it, or a later one without a write. */
  readonly lastRevision: Revision;
  /** Writes continue in this store. */
  resume(): Promise<void>;
  /**
   * Writes continue in `backend`, which has the same content. Rejects with `outcomeUnknown` when it could not be
   * established whether the content was moved: servers determine that before they write anything. When it rejects
   * otherwise, either it was not moved and writes continue here, or it was and this server cannot use `backend`.
   */
  move(backend: Backend, migration: Migration): Promise<void>;
}

/** Maximum time to write the record that ends a pause. */
const RECORD_MS = 5_000;

/**
 * Pauses the writes of all servers that use the store. Rejects, and writes continue, when the signal aborts, and with
 * `unavailable` when another migration uses the store.
 */
export async function pauseWrites(
  store: MovableStore,
  migration: Migration,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<PausedStore> {
  const { place } = store;
  store.gate.hold('migration');
  const pause = new Pause(store, place, clock);
  try {
    // Writes to a shared store have its record as a precondition.
    if (!place.backend.isShared) await store.idle(signal);
    await pause.begin(migration, signal);
  } catch (error) {
    await pause.resume();
    throw error;
  }
  return pause;
}

class Pause implements PausedStore {
  readonly #store: MovableStore;
  readonly #place: Place;
  readonly #clock: Clock;
  #moving: StoredRecord | undefined;
  #id = '';

  constructor(store: MovableStore, place: Place, clock: Clock) {
    this.#store = store;
    this.#place = place;
    this.#clock = clock;
  }

  get lastRevision(): Revision {
    return this.#place.outer(this.#moving?.revision ?? 0);
  }

  async begin(migration: Migration, signal: AbortSignal): Promise<void> {
    const { backend, key } = this.#place;
    const from = await readStoreRecord(backend.store, key, signal);
    const failure = this.#place.failureOf(from);
    if (failure !== undefined) throw failure;
    if (from.record.state !== 'ready')
      throw new StoreError('unavailable', `another migration is in progress (${from.record.migration?.id})`);
    this.#id = migration.id;
    const to = { ...from.record, state: 'moving', migration } as const;
    this.#moving = await changeRecord(backend.store, key, { from, to, signal });
    this.#place.found(this.#moving);
  }

  async resume(): Promise<void> {
    const { backend, key } = this.#place;
    let found: StoredRecord | undefined;
    try {
      using limit = withDeadline(new AbortController().signal, this.#clock, RECORD_MS);
      const { signal } = limit;
      found = await readStoreRecord(backend.store, key, signal);
      const isOwn = found.record.state === 'moving' && found.record.migration?.id === this.#id;
      if (isOwn) found = await endPause(backend.store, key, { found, signal });
    } catch {
      // Any server ends a pause that takes too long.
    }
    if (found?.record.state === 'ready') this.#place.found(found);
    this.#end(found?.record.state === 'ready');
  }

  async move(backend: Backend, migration: Migration): Promise<void> {
    const { key } = this.#place;
    const { store } = this.#place.backend;
    const from = this.#moving;
    if (from === undefined) throw new TypeError('the store was not paused');
    try {
      using limit = withDeadline(new AbortController().signal, this.#clock, RECORD_MS);
      const to = { ...from.record, state: 'moved', migration } as const;
      await changeRecord(store, key, { from, to, signal: limit.signal });
      await this.#store.moveTo(backend, migration, limit.signal);
    } finally {
      this.#end(this.#store.place !== this.#place);
    }
  }

  /** When it is unknown where writes may continue, the record decides: the follower of the record resumes them. */
  #end(isKnown: boolean): void {
    const { gate } = this.#store;
    if (isKnown) gate.release('record');
    else gate.hold('record');
    gate.release('migration');
    this.#place.changed.set();
  }
}
