import { type Store, StoreError } from '../store.ts';
import { OffsetStore } from './offset-store.ts';
import { readStoreRecord, storeRecordKey } from './store-record.ts';

/**
 * The store with the revisions that clients see, for keys that begin with `prefix`. Throws `unavailable` for a store
 * whose restore has not ended.
 */
export async function currentStore(store: Store, prefix: string, signal: AbortSignal): Promise<Store> {
  const { record } = await readStoreRecord(store, storeRecordKey(prefix), signal);
  if (record.state === 'restoring') {
    throw new StoreError(
      'unavailable',
      `a restore of backup ${record.backupId} has not ended: run "orch restore" again with the same file`,
    );
  }
  return record.revisionOffset === 0 ? store : new OffsetStore(store, record.revisionOffset);
}
