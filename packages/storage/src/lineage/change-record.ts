import { type Store, StoreError } from '../store.ts';
import {
  isSameRecord,
  type RecordChange,
  readStoreRecord,
  type StoredRecord,
  writeStoreRecord,
} from './store-record.ts';

/**
 * As `writeStoreRecord`, and finds out whether the change took effect when the store does not say. Rejects with
 * `outcomeUnknown` only when the signal aborts before the record could be read.
 */
export async function changeRecord(
  store: Pick<Store, 'commit' | 'get'>,
  key: string,
  change: RecordChange,
): Promise<StoredRecord> {
  for (;;) {
    try {
      return await writeStoreRecord(store, key, change);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'outcomeUnknown') throw error;
      const found = await foundAfter(store, key, { error, signal: change.signal });
      const isUnchanged = found.revision === change.from.revision;
      // Written again: the first write may take effect later, and one of both fails then, as a conflict.
      if (isUnchanged) continue;
      if (isSameRecord(found.record, change.to)) return found;
      throw new StoreError('unavailable', `another program has changed the record of the store (${key})`);
    }
  }
}

async function foundAfter(
  store: Pick<Store, 'get'>,
  key: string,
  { error, signal }: { readonly error: StoreError; readonly signal: AbortSignal },
): Promise<StoredRecord> {
  for (;;) {
    try {
      return await readStoreRecord(store, key, signal);
    } catch (failure) {
      if (signal.aborted) throw error;
      if (!(failure instanceof StoreError) || failure.code !== 'unavailable') throw failure;
    }
  }
}
