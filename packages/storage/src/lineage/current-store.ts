import { type Store, StoreError } from '../store.ts';
import { OffsetStore } from './offset-store.ts';
import { readStoreRecord, type StoreRecord, storeRecordKey } from './store-record.ts';

/**
 * The store with the revisions that clients see, for keys that begin with `prefix`, to read it. Throws `unavailable` for a
 * store that is incomplete, or that was moved.
 */
export async function currentStore(store: Store, prefix: string, signal: AbortSignal): Promise<Store> {
  const { record } = await readStoreRecord(store, storeRecordKey(prefix), signal);
  if (record.state !== 'ready' && record.state !== 'moving') throw unusable(record);
  return withLineage(store, record, prefix);
}

export const withLineage = (store: Store, record: StoreRecord, prefix: string): Store =>
  record.revisionOffset === 0 && record.carriedThrough === 0 ? store : new OffsetStore(store, record, prefix);

/** The reason why a store cannot be used, and the remedy. */
export function unusable({ state, backupId, migration }: StoreRecord): StoreError {
  switch (state) {
    case 'restoring':
      return new StoreError(
        'unavailable',
        `a restore of backup ${backupId} has not ended: run "orch restore" again with the same file`,
      );
    case 'filling':
      return new StoreError(
        'unavailable',
        `the store is the target of migration ${migration?.id} from ${migration?.from}, which has not ended: use that store, and run "orch migrate" again`,
      );
    case 'moved':
      return new StoreError(
        'unavailable',
        `the content was moved to ${migration?.to} (migration ${migration?.id}): use that store`,
      );
    default:
      return new StoreError('unavailable', `the store is in state ${state}`);
  }
}
