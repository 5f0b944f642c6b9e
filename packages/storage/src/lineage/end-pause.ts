import { type Store, StoreError } from '../store.ts';
import { changeRecord } from './change-record.ts';
import { readStoreRecord, type StoredRecord } from './store-record.ts';

/**
 * Ends the pause of writes in which the record of a store was found: writes continue there. Resolves with the resulting
 * record, which differs when the migration, or another program, was faster. Rejects when the store does not answer.
 */
export async function endPause(
  store: Pick<Store, 'commit' | 'get'>,
  key: string,
  { found, signal }: { readonly found: StoredRecord; readonly signal: AbortSignal },
): Promise<StoredRecord> {
  const to = { ...found.record, state: 'ready', migration: undefined } as const;
  try {
    return await changeRecord(store, key, { from: found, to, signal });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
    const now = await readStoreRecord(store, key, signal);
    if (now.revision === found.revision) throw error;
    return now;
  }
}
