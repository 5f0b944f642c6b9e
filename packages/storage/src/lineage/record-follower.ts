import { type Clock, type Logger, messageOf } from '@orch/machinery';
import { anySignal, onAbort, sleep } from '@orch/machinery/concurrency';
import { StoreError } from '../store.ts';
import { unusable } from './current-store.ts';
import { endPause } from './end-pause.ts';
import type { Migration } from './migration.ts';
import { ABANDONED_PAUSE_MS } from './open-place.ts';
import { isHere, type Place } from './place.ts';
import { readStoreRecord, type StoredRecord } from './store-record.ts';
import type { WriteGate } from './write-gate.ts';

export interface FollowOptions {
  readonly env: { readonly clock: Clock; readonly log: Logger };
  readonly gate: WriteGate;
  /** Continues in another store. */
  readonly moved: (migration: Migration) => Promise<void>;
}

const RETRY_MS = 200;
/** A server that cannot open the next store within this time stops. */
const DEPARTURE_MS = 30_000;

/**
 * Acts on the record of a place: writes wait while it is `moving`, and the server continues elsewhere when it is
 * `moved`. A pause that takes too long is ended: its migration has failed. Resolves when the signal aborts; rejects
 * with the error that prevents the server from using the content.
 */
export async function followRecord(place: Place, options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { env } = options;
  const pause = new PauseLimit(place, env);
  const departure = new Departure(place, env);
  using scope = anySignal([signal]);
  const watching = watchRecord(place, env, scope.signal);
  const unregister = onAbort(signal, () => place.changed.set());
  try {
    while (!signal.aborted) {
      const found = await readUntilKnown(place, env, signal);
      if (found === undefined) break;
      await apply(place, found, { ...options, pause, departure, signal });
      await place.changed.wait();
    }
  } finally {
    unregister();
    pause.end();
    scope.abort();
    await watching;
  }
}

/** Undefined when the signal aborts. */
export async function readUntilKnown(
  { backend, key }: Place,
  { clock, log }: FollowOptions['env'],
  signal: AbortSignal,
): Promise<StoredRecord | undefined> {
  while (!signal.aborted) {
    try {
      return await readStoreRecord(backend.store, key, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
      log.warn('the record of the store could not be read', { error: messageOf(error) });
      await sleep(clock, RETRY_MS, signal).catch(() => undefined);
    }
  }
  return undefined;
}

interface ApplyOptions extends FollowOptions {
  readonly pause: PauseLimit;
  readonly departure: Departure;
  readonly signal: AbortSignal;
}

async function apply(
  place: Place,
  found: StoredRecord,
  { gate, moved, pause, departure, signal }: ApplyOptions,
): Promise<void> {
  const { state, migration } = found.record;
  const failure = place.failureOf(found);
  if (failure !== undefined) throw failure;
  // Reads compare the record with the known one, with which the content must be here.
  if (isHere(found) && (found.revision ?? 0) >= (place.known.revision ?? 0)) place.found(found);
  if (state === 'ready') {
    pause.end();
    gate.release('record');
  } else if (state === 'moving') {
    gate.hold('record');
    await pause.seen(found, signal);
  } else if (state === 'moved' && migration !== undefined) {
    gate.hold('record');
    await departure.attempt(() => moved(migration), signal);
  } else throw unusable(found.record);
}

/** Wakes the follower at every change of the record, including a missed one. */
async function watchRecord(
  place: Place,
  { clock, log }: FollowOptions['env'],
  signal: AbortSignal,
): Promise<void> {
  const { store } = place.backend;
  const range = { ...place.recordRange, eventsOnly: true };
  while (!signal.aborted) {
    try {
      const after = await store.currentRevision(signal);
      place.changed.set();
      for await (const { events } of store.watch(range, after, signal))
        if (events.length > 0) place.changed.set();
    } catch (error) {
      if (signal.aborted || (error instanceof StoreError && error.code === 'closed')) return;
      log.warn('the record of the store could not be watched', { error: messageOf(error) });
      await sleep(clock, RETRY_MS, signal).catch(() => undefined);
    }
  }
}

/** Ends pauses that take too long. */
class PauseLimit {
  readonly #place: Place;
  readonly #env: FollowOptions['env'];
  #revision = 0;
  #since = 0;
  #cancel: () => void = () => undefined;

  constructor(place: Place, env: FollowOptions['env']) {
    this.#place = place;
    this.#env = env;
  }

  async seen(found: StoredRecord, signal: AbortSignal): Promise<void> {
    const { revision = 0 } = found;
    const { clock, log } = this.#env;
    const { backend, key, changed } = this.#place;
    const now = clock.monotonic();
    if (this.#revision !== revision) [this.#revision, this.#since] = [revision, now];
    this.#cancel();
    this.#cancel = clock.schedule(Math.max(RETRY_MS, this.#since + ABANDONED_PAUSE_MS - now), () =>
      changed.set(),
    );
    if (now - this.#since < ABANDONED_PAUSE_MS) return;
    const id = found.record.migration?.id ?? '';
    try {
      const { record } = await endPause(backend.store, key, { found, signal });
      if (record.state === 'ready') log.warn('a migration has failed: writes continue', { id });
      changed.set();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // Tried again at the time that was scheduled above.
      log.warn('a migration has failed, and its pause could not be ended', { id, error: messageOf(error) });
    }
  }

  end(): void {
    this.#cancel();
    this.#revision = 0;
  }
}

/** Repeats the switch to the next store, which may not be reachable at once. */
class Departure {
  readonly #place: Place;
  readonly #env: FollowOptions['env'];
  #firstFailureAt: number | undefined;

  constructor(place: Place, env: FollowOptions['env']) {
    this.#place = place;
    this.#env = env;
  }

  async attempt(move: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#env;
    try {
      await move();
    } catch (error) {
      const now = clock.monotonic();
      this.#firstFailureAt ??= now;
      if (signal.aborted || now - this.#firstFailureAt > DEPARTURE_MS) throw error;
      log.warn('the store was moved, and the next one cannot be opened', { error: messageOf(error) });
      await sleep(clock, RETRY_MS, signal).catch(() => undefined);
      this.#place.changed.set();
    }
  }
}
