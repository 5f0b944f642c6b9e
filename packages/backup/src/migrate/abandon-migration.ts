import { prefixRange, RecordGuardedStore, readStoreRecord, StoreError, storeRecordKey } from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import { CommitQueue } from '../restore/commit-queue.ts';
import { claimTarget, endOtherPause, type MigratedStores } from './claim-target.ts';
import { readStoreId } from './store-id.ts';

export interface AbandonOptions extends MigratedStores {
  readonly id: string;
  readonly onProgress?: (deleted: number) => void;
}

/**
 * Undoes a migration that has not ended: writes to the source continue, and the target is empty. May be repeated. Throws
 * `refused` when the content was moved, and for a target that no migration fills.
 */
export async function abandonMigration(
  options: AbandonOptions,
  signal: AbortSignal,
): Promise<{ readonly deleted: number }> {
  const { source, target, prefix, id, onProgress } = options;
  const key = storeRecordKey(prefix);
  await endOtherPause(source, signal);
  const { record } = await readStoreRecord(target.store, key, signal);
  if (record.state !== 'filling')
    throw new BackupError('refused', `no migration to ${target.name} is in progress`);
  const { name: from, store } = source.place.backend;
  const fromStore = await readStoreId(store, prefix, signal);
  const migration = {
    ...{ id, from, to: target.name, lastRevision: 0, nextRevision: 0 },
    ...(fromStore === undefined ? {} : { fromStore }),
  };
  const claimed = await claimTarget(options, migration, signal);
  const guarded = new RecordGuardedStore(target.store, { key, revision: claimed.revision ?? 0 });
  const queue = new CommitQueue(guarded, signal);
  let deleted = 0;
  for await (const { items } of target.store.scan(prefixRange(prefix), { keysOnly: true }, signal)) {
    for (const item of items) await queue.push({ op: 'delete', key: item.key, expected: item.modRevision });
    deleted += items.length;
    onProgress?.(deleted);
  }
  await queue.finish();
  const removed = await target.store.commit({ op: 'delete', key, expected: claimed.revision ?? 0 }, signal);
  if (!removed.ok) throw new StoreError('unavailable', `another migration to ${target.name} has begun`);
  return { deleted };
}
