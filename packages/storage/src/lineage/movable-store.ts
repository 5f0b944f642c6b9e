import { abortable, anySignal } from '@orch/machinery/concurrency';
import type { KeyRange, WatchRange } from '../keys.ts';
import type { Committed, Page, Revision, ScanOptions, ScanPart, Store, WatchBatch, Write } from '../store.ts';
import { ConfirmedEvents } from './confirmed-events.ts';
import type { Migration } from './migration.ts';
import { finishMove, type OpenPlaceOptions, openPlace } from './open-place.ts';
import { type Backend, isHere, Place } from './place.ts';
import { followRecord } from './record-follower.ts';
import { type StoredRecord, storedRecordOf } from './store-record.ts';
import { watchPlaces } from './watch-places.ts';
import { InFlight, WriteGate } from './write-gate.ts';

/** The earlier store stays open for this long, for watches and lists that read its history. */
const LINGER_MS = 60_000;

/** A write that did not take effect, and what it assumed. */
interface FailedWrite {
  readonly committed: Extract<Committed, { readonly ok: false }>;
  readonly place: Place;
  /** The revision of the record. */
  readonly guard: Revision;
}

/**
 * The store that a server uses, in whichever backend it is. Migrations move the content to another backend while it is in
 * use: writes wait, then continue there; watches yield all events of the earlier backend, then those of the next one;
 * revisions increase. No write takes effect in the earlier backend after the move, and no consistent read returns its state.
 */
export class MovableStore implements Store {
  readonly #options: OpenPlaceOptions;
  readonly #inFlight = new InFlight();
  /** Keeps writes waiting while the content is moved. */
  readonly gate = new WriteGate();
  readonly #confirmed: ConfirmedEvents;
  #place: Place;
  #moving: Promise<void> | undefined;
  /** The migration that has moved the content to the current place while it was in use. */
  #arrivedBy: string | undefined;
  #previous: Place | undefined;
  #closePrevious: () => Promise<void> = async () => undefined;
  #isClosed = false;

  private constructor(place: Place, options: OpenPlaceOptions) {
    this.#place = place;
    this.#options = options;
    this.#confirmed = new ConfirmedEvents(options.env, (error) => this.#fail(error));
  }

  /** Opens the store that has the content now. Throws when it cannot be used. Closes `backend` when it is another one. */
  static async open(backend: Backend, options: OpenPlaceOptions, signal: AbortSignal): Promise<MovableStore> {
    return new MovableStore(await openPlace(backend, options, signal), options);
  }

  /** The current place of the content. */
  get place(): Place {
    return this.#place;
  }

  /** Resolves when no write of this server is in progress. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#inFlight.none(signal);
  }

  get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#consistent((place) => place.view.get(key, signal), signal);
  }

  async list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    const { at } = options;
    this.gate.failed.throwIfAborted();
    return at === undefined
      ? this.#consistent((place) => place.view.list(range, options, signal), signal)
      : this.#placeAt(at).view.list(range, options, signal);
  }

  async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    const { at } = options;
    this.gate.failed.throwIfAborted();
    const place = at === undefined ? await this.#consistent(async (used) => used, signal) : this.#placeAt(at);
    for await (const part of place.view.scan(range, options, signal)) {
      if (at === undefined) await this.#confirm(place, signal);
      yield part;
    }
  }

  commit(write: Write, signal: AbortSignal): Promise<Committed> {
    return this.gate.isOpen
      ? this.#commitHere(write, signal)
      : this.gate.wait(signal).then(() => this.commit(write, signal));
  }

  #commitHere(write: Write, signal: AbortSignal): Promise<Committed> {
    const place = this.#place;
    const { guard } = place;
    this.#inFlight.begin();
    return place.view.commit(write, signal).then(
      (committed) => {
        this.#inFlight.end();
        if (committed.ok || guard === undefined) return committed;
        return this.#afterFailure(write, { committed, place, guard }, signal);
      },
      (error: unknown) => {
        this.#inFlight.end();
        throw error;
      },
    );
  }

  /** The outcome of a write whose precondition has failed: it is tried again where the content is now. */
  async #afterFailure(
    write: Write,
    { committed, place, guard }: FailedWrite,
    signal: AbortSignal,
  ): Promise<Committed> {
    // Another precondition has failed, and the content was here in the same transaction.
    if (committed.heldGuards?.includes(place.key) === true) return committed;
    const isCurrent = await this.#isCurrent(place, signal);
    if (isCurrent && (committed.guardFailed !== true || place.guard === guard)) return committed;
    return this.commit(write, signal);
  }

  async *watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const { failed } = this.gate;
    failed.throwIfAborted();
    using either = anySignal([signal, failed]);
    const confirm = (place: Place, stop: AbortSignal) => this.#confirm(place, stop);
    yield* watchPlaces(this.#placeAt(after), { range, after, confirm }, either.signal);
    if (!signal.aborted) failed.throwIfAborted();
  }

  async currentRevision(signal: AbortSignal): Promise<Revision> {
    for (;;) {
      this.gate.failed.throwIfAborted();
      const place = this.#place;
      const { store, isShared } = place.backend;
      if (this.#moving !== undefined) {
        await abortable(this.#moving, signal);
        continue;
      }
      if (!isShared) return place.view.currentRevision(signal);
      // One read for both: the revision of the store, and whether it is the store that servers use.
      const { rev, kv } = await store.get(place.key, signal);
      if (
        place.isKnown(kv?.modRevision) ||
        (await this.#isUsed(place, storedRecordOf(kv, place.key), signal))
      )
        return place.outer(rev);
    }
  }

  compact(through: Revision, signal: AbortSignal): Promise<void> {
    return this.#place.view.compact(through, signal);
  }

  size(signal: AbortSignal): ReturnType<Store['size']> {
    return this.#place.view.size(signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#moving?.catch(() => undefined);
    await Promise.all([this.#closePrevious(), this.#place.backend.store.close()]);
  }

  /**
   * Follows migrations that other servers run, until the signal aborts. Rejects when the content was moved to where this
   * server cannot follow: it must stop then.
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const place = this.#place;
        using either = anySignal([signal, place.left]);
        const moved = (migration: Migration) => this.#follow(place, migration);
        await followRecord(place, { env: this.#options.env, gate: this.gate, moved }, either.signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      throw this.#fail(error);
    }
  }

  /** Only this process uses a store that is not shared. */
  #confirm(place: Place, signal: AbortSignal): Promise<void> | undefined {
    return place.backend.isShared ? this.#confirmed.confirm(place, signal) : undefined;
  }

  /** The server can no longer use the content: all reads, writes and watches fail, and `run` rejects. */
  #fail(error: unknown): unknown {
    this.gate.fail(error);
    this.#place.changed.set();
    return error;
  }

  /** Closes the store before the last move, which is otherwise kept for some time. */
  closeEarlier(): Promise<void> {
    return this.#closePrevious();
  }

  /**
   * Continues in the next store: the record of the current one is `moved`. Closes `backend` when that fails, and when this server
   * has followed the record there by another connection, before the migration that it runs knows of it.
   */
  async moveTo(backend: Backend, migration: Migration, signal: AbortSignal): Promise<void> {
    if (this.#moving !== undefined || this.#arrivedBy === migration.id) {
      try {
        await this.#moving;
      } finally {
        await backend.store.close();
      }
      return;
    }
    this.#moving = this.#move({ backend, migration }, signal).finally(() => {
      this.#moving = undefined;
    });
    await this.#moving;
  }

  async #follow(place: Place, migration: Migration): Promise<void> {
    const { signal } = new AbortController();
    if (this.#moving !== undefined || place !== this.#place) return this.#moving;
    const backend = await this.#options.openMoved(migration, signal);
    if (this.#moving === undefined && place === this.#place) await this.moveTo(backend, migration, signal);
    else await backend.store.close();
  }

  async #move(
    { backend, migration }: { readonly backend: Backend; readonly migration: Migration },
    signal: AbortSignal,
  ): Promise<void> {
    const { env } = this.#options;
    const from = this.#place;
    const found = await finishMove(backend, from.key, { migration, signal }).catch(async (error: unknown) => {
      await backend.store.close();
      throw error;
    });
    await this.#closePrevious();
    this.#place = new Place(backend, this.#options.prefix, found);
    this.#arrivedBy = migration.id;
    from.leave(this.#place, migration);
    this.#linger(from);
    this.gate.release('record');
    env.log.info('the content was moved', { from: from.backend.name, to: backend.name, id: migration.id });
    if (this.#isClosed) await backend.store.close();
  }

  #linger(place: Place): void {
    const cancel = this.#options.env.clock.schedule(LINGER_MS, () => void this.#closePrevious());
    this.#previous = place;
    this.#closePrevious = async () => {
      cancel();
      if (this.#previous === place) this.#previous = undefined;
      await place.backend.store.close();
    };
  }

  /** The place that has the state and the history at a revision. */
  #placeAt(rev: Revision): Place {
    const { next } = this.#previous ?? {};
    return this.#previous !== undefined && next !== undefined && rev < next.migration.lastRevision
      ? this.#previous
      : this.#place;
  }

  /** Reads the current state. Whether the content is still there is read at the same time: it was when the read began. */
  async #consistent<T>(read: (place: Place) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      this.gate.failed.throwIfAborted();
      const place = this.#place;
      if (this.#moving !== undefined) {
        await abortable(this.#moving, signal);
        continue;
      }
      if (!place.backend.isShared) return read(place);
      const [result, isCurrent] = await Promise.all([read(place), this.#isCurrent(place, signal)]);
      if (isCurrent) return result;
    }
  }

  async #isCurrent(place: Place, signal: AbortSignal): Promise<boolean> {
    const { kv } = await place.backend.store.get(place.key, signal);
    return place.isKnown(kv?.modRevision) || this.#isUsed(place, storedRecordOf(kv, place.key), signal);
  }

  /** Reports whether the content was in the place when its record was read. When it was not, it waits until the next place is open. */
  async #isUsed(place: Place, found: StoredRecord, signal: AbortSignal): Promise<boolean> {
    if (place !== this.#place) return false;
    const failure = place.failureOf(found);
    if (failure !== undefined) throw this.#fail(failure);
    if (isHere(found)) {
      if ((found.revision ?? 0) > (place.known.revision ?? 0)) this.#found(place, found);
      return true;
    }
    this.gate.hold('record');
    place.changed.set();
    await this.gate.wait(signal);
    return false;
  }

  #found(place: Place, found: StoredRecord): void {
    place.found(found);
    if (found.record.state !== 'moving') return;
    this.gate.hold('record');
    place.changed.set();
  }
}
