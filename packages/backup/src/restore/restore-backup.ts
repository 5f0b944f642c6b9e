import type { Env } from '@orch/machinery';
import {
  newStoreRecord,
  prefixRange,
  type Revision,
  readStoreRecord,
  type Store,
  type StoredRecord,
  type StoreRecord,
  storeRecordKey,
  writeStoreRecord,
} from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import type { OpenedBackup } from '../decode-backup.ts';
import type { BackupHeader } from '../format/header.ts';
import type { BackupSummary } from '../format/summary.ts';
import { makeEqual, type RestoreCounts } from './make-equal.ts';

export interface RestoreOptions {
  /** The store without the offset of its revisions. No server uses it. */
  readonly store: Store;
  /** Prefix of the restored keys. */
  readonly prefix: string;
  /** Restores only these keys of the backup, and deletes all others; all when absent. */
  readonly owns?: (key: string) => boolean;
  /** Keys with this prefix, without that of the store, belong to running servers: they are not restored. */
  readonly serverKeys: string;
  /** Other processes may use the store: refuses to restore while it has keys of servers. */
  readonly isShared: boolean;
  /** Restores into a store that has keys: those that are not in the backup are deleted. */
  readonly replace: boolean;
  /** As `replace`, also for a store whose content was moved to another one, which servers use since then. */
  readonly replaceMoved: boolean;
  readonly env: Pick<Env, 'clock'>;
  readonly onProgress?: (counts: RestoreCounts) => void;
}

export interface RestoreReport extends RestoreCounts {
  readonly backupId: string;
  /** Revision of the backup. */
  readonly backupRevision: Revision;
  /** Revision of the store, as clients see it. Watches and reads of earlier ones get 410. */
  readonly revision: Revision;
  readonly summary: BackupSummary;
}

/** Revisions that clients may have seen after the backup was made, according to a clock that is evidently wrong. */
const UNSEEN = 1_000_000_000;
/**
 * No store accepts more writes. A restored store begins at the revision that it would have after so many writes since 2020: beyond
 * those of all stores that had the content before, also of one that an earlier restore has made.
 */
const MAX_WRITES_PER_MS = 50;
const FIRST_WRITE_MS = Date.UTC(2020, 0);

/**
 * Makes the keys of a store those of a backup. Revisions of the store are then beyond all that clients can have seen, and
 * earlier ones are compacted. May be stopped at any time and repeated with the same backup: the result is the same. Servers
 * do not use the store in between. Throws `refused` when it may not change the store, and a `StoreError` when the store fails.
 */
export async function restoreBackup(
  backup: OpenedBackup,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<RestoreReport> {
  const { store, prefix } = options;
  const { header } = backup;
  const key = storeRecordKey(prefix);
  const begun = await beginRestore(header, options, signal);
  const { counts, summary } = await makeEqual(backup.entries, options, signal);
  const last = await store.currentRevision(signal);
  await store.compact(last, signal);
  const ready = { ...begun.record, state: 'ready' } as const;
  await writeStoreRecord(store, key, { from: begun, to: ready, signal });
  return {
    ...counts,
    backupId: header.id,
    backupRevision: header.revision,
    revision: last + ready.revisionOffset,
    summary,
  };
}

async function beginRestore(
  header: BackupHeader,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<StoredRecord> {
  const { store, prefix } = options;
  const key = storeRecordKey(prefix);
  const found = await readStoreRecord(store, key, signal);
  await refuseOthers(header, found.record, options, signal);
  const to = await restoringRecord(header, found, options, signal);
  return writeStoreRecord(store, key, { from: found, to, signal });
}

/**
 * Begins to restore parts of one backup into several stores: servers use none of them before `restoreBackup` has ended for each.
 * Continues where some of them have ended.
 */
export async function beginRestores(
  header: BackupHeader,
  stores: readonly RestoreOptions[],
  signal: AbortSignal,
): Promise<void> {
  const all: (RestoreOptions & StoredRecord)[] = [];
  for (const options of stores) {
    const key = storeRecordKey(options.prefix);
    all.push({ ...options, ...(await readStoreRecord(options.store, key, signal)) });
  }
  const isOf = (state: StoreRecord['state'], { record }: StoredRecord): boolean =>
    record.state === state && record.backupId === header.id;
  const continues = all.some((one) => isOf('restoring', one));
  for (const one of all) {
    const to = { ...one.record, state: 'restoring' } as const;
    if (continues && isOf('ready', one))
      await writeStoreRecord(one.store, storeRecordKey(one.prefix), { from: one, to, signal });
    else await beginRestore(header, one, signal);
  }
}

/** Throws `refused` for a store that is not empty, unless it may be replaced or has a part of this backup. */
async function refuseOthers(
  { id }: BackupHeader,
  { state, backupId, migration }: StoreRecord,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, prefix, replace, replaceMoved } = options;
  if (options.isShared) await refuseServers(options, signal);
  if (state === 'filling' || state === 'moving')
    throw new BackupError('refused', 'a migration uses the store: end it first (orch migrate --abort)');
  if (replaceMoved) return;
  if (state === 'moved')
    throw new BackupError(
      'refused',
      `the content of the store was moved to ${migration?.to} (migration ${migration?.id}), which servers use: restore into that store; --replace-moved restores into this one, and servers with its flags use it then`,
    );
  if (replace || (state === 'restoring' && backupId === id)) return;
  if (state === 'restoring') {
    const message = `a restore of another backup, ${backupId}, has not ended: repeat it, or replace its result (--replace)`;
    throw new BackupError('refused', message);
  }
  const { count } = await store.list(prefixRange(prefix), { limit: 1, keysOnly: true }, signal);
  if (count === 0) return;
  const keys = count === 1 ? '1 key' : `${count} keys`;
  throw new BackupError('refused', `the store already has ${keys}: --replace deletes them`);
}

async function refuseServers(
  { store, prefix, serverKeys }: RestoreOptions,
  signal: AbortSignal,
): Promise<void> {
  const { count } = await store.list(prefixRange(prefix + serverKeys), { limit: 1, keysOnly: true }, signal);
  if (count === 0) return;
  const message =
    'a server uses the store: stop all servers first; servers that were killed are forgotten after some seconds';
  throw new BackupError('refused', message);
}

/** The offset of an earlier restore that has not ended is kept. */
async function restoringRecord(
  header: BackupHeader,
  { record }: StoredRecord,
  { store, env }: RestoreOptions,
  signal: AbortSignal,
): Promise<StoreRecord> {
  const { state, revisionOffset, backupId } = record;
  if (state === 'restoring' && backupId === header.id) return record;
  const reached = Math.ceil((env.clock.now() - FIRST_WRITE_MS) * MAX_WRITES_PER_MS);
  const unseen = reached > header.revision ? reached : header.revision + UNSEEN;
  const missing = unseen - (await store.currentRevision(signal));
  return {
    ...newStoreRecord,
    state: 'restoring',
    revisionOffset: Math.max(0, revisionOffset, missing),
    backupId: header.id,
  };
}
