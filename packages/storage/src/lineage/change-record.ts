import { type Store, StoreError } from '../store.ts';
import {
  isSameRecord,
  type RecordChange,
  readStoreRecord,
  type StoredRecord,
  writeStoreRecord,
} from './store-record.ts';

/**
 * As `writeStoreRecord`, and determines whether the change took effect when the store does not report it. Rejects with
 * `outcomeUnknown` only when the signal aborts before that is known.
 */
export async function changeRecord(
  store: Pick<Store, 'commit' | 'get'>,
  key: string,
  change: RecordChange,
): Promise<StoredRecord> {
  const { from, to, signal } = change;
  let unknown: StoreError | undefined;
  for (;;) {
    try {
      return await writeStoreRecord(store, key, change);
    } catch (error) {
      unknown ??= isCode(error, 'outcomeUnknown') ? error : undefined;
      if (unknown === undefined) throw error;
      // A conflict of a later write may be with the first one, which then took effect.
      const isOpen = isCode(error, 'outcomeUnknown') || isCode(error, 'unavailable') || signal.aborted;
      if (!isOpen) throw error;
    }
    const found = await foundAfter(store, key, { error: unknown, signal });
    // Written again: the first write may take effect later, and one of both fails then, as a conflict.
    if (found.revision === from.revision) continue;
    if (isSameRecord(found.record, to)) return found;
    throw new StoreError('unavailable', `another program has changed the record of the store (${key})`);
  }
}

const isCode = (error: unknown, code: StoreError['code']): error is StoreError =>
  error instanceof StoreError && error.code === code;

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
      if (!isCode(failure, 'unavailable')) throw failure;
    }
  }
}
