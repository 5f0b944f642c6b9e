import { type Clock, type Logger, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { StoreError } from '../store.ts';
import { unusable } from './current-store.ts';
import { endPause } from './end-pause.ts';
import type { Migration } from './migration.ts';
import { type Backend, Place } from './place.ts';
import {
  newStoreRecord,
  type RecordChange,
  readStoreRecord,
  type StoredRecord,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';

export interface OpenPlaceOptions {
  readonly prefix: string;
  /** Opens the store to which a migration has moved the content. Throws when this server cannot. */
  readonly openMoved: (migration: Migration, signal: AbortSignal) => Promise<Backend>;
  readonly env: { readonly clock: Clock; readonly log: Logger };
}

/** The time after which each server ends the pause of a migration that failed to end it. */
export const ABANDONED_PAUSE_MS = 10_000;
const POLL_MS = 50;
/** Limit on the number of moved stores that are followed. */
const MAX_MOVES = 16;

/** Opens the store that has the content now: `backend`, or the one to which it was moved. Closes those that it does not use. */
export async function openPlace(
  backend: Backend,
  options: OpenPlaceOptions,
  signal: AbortSignal,
): Promise<Place> {
  const key = storeRecordKey(options.prefix);
  let current = backend;
  try {
    for (let moves = 0; moves <= MAX_MOVES; moves++) {
      const found = await usableRecord(current, key, { ...options, signal });
      const { state, migration } = found.record;
      if (state !== 'moved' || migration === undefined) return new Place(current, options.prefix, found);
      const next = await options.openMoved(migration, signal);
      options.env.log.warn('the content of the store was moved', { from: current.name, to: next.name });
      const previous = current;
      current = next;
      await previous.store.close();
      await finishMove(current, key, { migration, signal });
    }
    throw new StoreError('corrupt', 'the records of the stores refer to each other');
  } catch (error) {
    await current.store.close();
    throw error;
  }
}

interface RecordContext {
  readonly env: OpenPlaceOptions['env'];
  readonly signal: AbortSignal;
}

/** The record, in state `ready` or `moved`. Ends a pause whose migration has failed. */
async function usableRecord(
  { store, isShared }: Backend,
  key: string,
  { env, signal }: RecordContext,
): Promise<StoredRecord> {
  let pause = { revision: 0, since: 0 };
  for (;;) {
    const found = await readStoreRecord(store, key, signal);
    const { record, revision = 0 } = found;
    if (record.state === 'moved' || (record.state === 'ready' && (revision > 0 || !isShared))) return found;
    if (record.state !== 'ready' && record.state !== 'moving') throw unusable(record);
    // No other process has an embedded store, so its migration ended with the process that ran it.
    if (record.state === 'moving' && isShared) {
      const now = env.clock.monotonic();
      if (pause.revision !== revision) pause = { revision, since: now };
      if (now - pause.since < ABANDONED_PAUSE_MS) {
        await sleep(env.clock, POLL_MS, signal);
        continue;
      }
    }
    if (record.state === 'moving') await endPause(store, key, { found, signal });
    else {
      const refusal = await changeRefusal(store, key, { from: found, to: newStoreRecord, signal });
      if (refusal === undefined) continue;
      // Reads work; until the record exists, writes have its absence as their precondition.
      env.log.warn('the store does not accept writes', { error: messageOf(refusal) });
      return found;
    }
  }
}

/**
 * Changes the record as it was read. Undefined when it was changed, by this or another server that made the same
 * change; otherwise the reason why the store has refused it.
 */
async function changeRefusal(
  store: Pick<Backend['store'], 'commit' | 'get'>,
  key: string,
  change: RecordChange,
): Promise<StoreError | undefined> {
  try {
    await writeStoreRecord(store, key, change);
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { revision } = await readStoreRecord(store, key, change.signal);
    return revision === change.from.revision ? error : undefined;
  }
}

/**
 * Makes the target of a migration usable, whose source has the record `moved`: the target could not be used before.
 * Returns its record. Throws `unavailable` for another store.
 */
export async function finishMove(
  { store, name }: Backend,
  key: string,
  { migration, signal }: { readonly migration: Migration; readonly signal: AbortSignal },
): Promise<StoredRecord> {
  for (;;) {
    const found = await readStoreRecord(store, key, signal);
    const { record } = found;
    if (record.carriedThrough === 0 || record.carriedFrom !== migration.lastRevision)
      throw new StoreError(
        'unavailable',
        `${name} is not the store to which migration ${migration.id} has moved the content (${migration.to})`,
      );
    if (record.state !== 'filling') return found;
    const to = { ...record, state: 'ready' } as const;
    const refusal = await changeRefusal(store, key, { from: found, to, signal });
    if (refusal !== undefined) throw refusal;
  }
}
