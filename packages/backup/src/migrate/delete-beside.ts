import {
  besideRanges,
  RecordGuardedStore,
  type Store,
  type StoredRecord,
  storeRecordKey,
} from '@orch/storage';
import { CommitQueue } from '../restore/commit-queue.ts';

/**
 * Deletes data that the servers of an earlier content have written beside its keys, such as its history: it contains
 * revisions that the claimed target will not have. Throws when another program has claimed it.
 */
export async function deleteBeside(
  store: Store,
  { prefix, claimed }: { readonly prefix: string; readonly claimed: StoredRecord },
  signal: AbortSignal,
): Promise<void> {
  const guard = { key: storeRecordKey(prefix), revision: claimed.revision ?? 0 };
  const queue = new CommitQueue(new RecordGuardedStore(store, guard), signal);
  for (const range of besideRanges(prefix))
    for await (const { items } of store.scan(range, { keysOnly: true }, signal))
      for (const { key, modRevision } of items)
        await queue.push({ op: 'delete', key, expected: modRevision });
  await queue.finish();
}
