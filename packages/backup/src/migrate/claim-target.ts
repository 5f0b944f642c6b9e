import {
  type Backend,
  changeRecord,
  endPause,
  isSameRecord,
  type Migration,
  type MovableStore,
  newStoreRecord,
  prefixRange,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  storeRecordKey,
} from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import { deleteBeside } from './delete-beside.ts';

/** Both stores of a migration. */
export interface MigratedStores {
  readonly source: MovableStore;
  /** Without translated revisions. No server uses it. */
  readonly target: Backend;
  readonly prefix: string;
}

/**
 * Claims the target for `migration` alone. An earlier unfinished migration of the same source can no longer write to
 * it, nor complete. Throws `refused` when the target must not be changed.
 */
export async function claimTarget(
  stores: MigratedStores,
  migration: Migration,
  signal: AbortSignal,
): Promise<StoredRecord> {
  const { target, prefix } = stores;
  const key = storeRecordKey(prefix);
  // In this order: a migration that prepares the target after this read changes its record, so that the claim fails; one that
  // has prepared it before has paused the source, which ends here.
  const from = await readStoreRecord(target.store, key, signal);
  await refuseSameStore(stores, from, signal);
  refuseOtherUse(from.record, stores.target, migration);
  await endOtherPause(stores.source, signal);
  const { count } = await target.store.list(prefixRange(prefix), { limit: 1, keysOnly: true }, signal);
  if (from.record.state === 'ready' && count > 0)
    throw new BackupError('refused', `${target.name} already has ${count} keys: use an empty store`);
  const to = { ...newStoreRecord, state: 'filling', migration } as const;
  const claimed = await changeRecord(target.store, key, { from, to, signal });
  await deleteBeside(target.store, { prefix, claimed }, signal);
  return claimed;
}

/** One store may have several names, such as those of different members of one etcd; its record shows that it is the same. */
async function refuseSameStore(
  { source: { place }, target }: MigratedStores,
  found: StoredRecord,
  signal: AbortSignal,
): Promise<void> {
  if (found.revision === undefined || found.record.migration?.id !== place.known.record.migration?.id) return;
  const { record, revision } = await readStoreRecord(place.backend.store, place.key, signal);
  if (revision !== found.revision || !isSameRecord(record, found.record)) return;
  throw new BackupError('alreadyThere', `servers already use ${target.name}`);
}

function refuseOtherUse({ state, backupId, migration }: StoreRecord, target: Backend, own: Migration): void {
  if (state === 'restoring')
    throw new BackupError('refused', `a restore of backup ${backupId} into ${target.name} has not ended`);
  if (state === 'moving') throw new BackupError('refused', `${target.name} is in use`);
  if (state === 'filling' && migration !== undefined && !isFromSameStore(migration, own))
    throw new BackupError(
      'refused',
      `${target.name} is the target of migration ${migration.id} from another store, ${migration.from}`,
    );
}

/** Names do not identify stores: one etcd has several, and embedded stores of different machines may have the same. */
const isFromSameStore = (begun: Migration, own: Migration): boolean =>
  begun.fromStore === undefined ? begun.from === own.from : begun.fromStore === own.fromStore;

/** Ends the pause of a migration that was cut off. Throws `refused` when the content was moved. */
export async function endOtherPause({ place }: MovableStore, signal: AbortSignal): Promise<void> {
  const { store } = place.backend;
  for (;;) {
    const from = await readStoreRecord(store, place.key, signal);
    const { state, migration } = from.record;
    if (state === 'ready') return;
    if (state !== 'moving')
      throw new BackupError('refused', `the content has already been moved to ${migration?.to}`);
    await endPause(store, place.key, { found: from, signal });
  }
}
