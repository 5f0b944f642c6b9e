import type { Env } from '@orch/machinery';
import { anySignal, withDeadline } from '@orch/machinery/concurrency';
import {
  changeRecord,
  type Migration,
  pauseWrites,
  prefixRange,
  RecordGuardedStore,
  type StoredRecord,
  storeRecordKey,
} from '@orch/storage';
import { storeContent } from '../store-content.ts';
import { claimTarget, type MigratedStores } from './claim-target.ts';
import { copyContent } from './copy-content.ts';
import type { MigrationProgress } from './progress.ts';
import { SourceChanges } from './source-changes.ts';
import { ensureStoreId } from './store-id.ts';
import { Tail } from './tail.ts';
import { TargetWriter } from './target-writer.ts';

export interface MigrateOptions extends MigratedStores {
  readonly env: Pick<Env, 'clock' | 'random'>;
  readonly onProgress?: (progress: MigrationProgress) => void;
  /**
   * Rejects when a server could not continue in the target. Called before copying, which takes long, and again before writes
   * are paused.
   */
  readonly checkServers?: (migration: Migration, signal: AbortSignal) => Promise<void>;
}

export interface MigrationReport extends Migration {
  /** Keys that the store had when copying began. */
  readonly keys: number;
  /** Changes that were copied afterwards. */
  readonly followed: number;
  /** Time during which writes waited. */
  readonly pauseMs: number;
}

/** Writes continue in the source when the rest could not be copied in this time. */
const MAX_PAUSE_MS = 4_000;

/**
 * Watches of servers may be ahead of the last write, by keys that expire and by other users of etcd: the next store
 * continues beyond all revisions that they can have reached before they follow.
 */
const REVISION_GAP = 1_000_000;

/**
 * Moves the content to another store while servers use it. It may be stopped at any time, and repeated: servers use the
 * source until its record marks the content as moved. Resolves when this server uses the target; it then belongs to
 * `source`. Throws `refused` when the stores do not permit it, and a `StoreError` when one of them fails; the caller
 * closes the target then.
 */
export async function migrateStore(options: MigrateOptions, signal: AbortSignal): Promise<MigrationReport> {
  const { source, target, prefix, env, checkServers } = options;
  const id = Buffer.from(env.random.bytes(8)).toString('hex');
  const { name: from, store } = source.place.backend;
  const fromStore = await ensureStoreId(store, prefix, { random: env.random, signal });
  const begun: Migration = { id, from, to: target.name, lastRevision: 0, nextRevision: 0, fromStore };
  const claimed = await claimTarget(options, begun, signal);
  await checkServers?.(begun, signal);
  const key = storeRecordKey(prefix);
  const filled = new RecordGuardedStore(target.store, { key, revision: claimed.revision ?? 0 });
  using scope = anySignal([signal]);
  const range = prefixRange(prefix);
  const content = await storeContent(source, { prefix, env }, scope.signal);
  const changes = new SourceChanges(source, range, content.origin.revision);
  const following = changes.run(scope.signal);
  try {
    const { keys = 0 } = content.origin;
    const onKeys = (done: number) => options.onProgress?.({ phase: 'copy', done, total: keys });
    await copyContent(content, { store: filled, prefix, onKeys }, scope.signal);
    const tail = new Tail({ source, changes, writer: new TargetWriter(filled) });
    await tail.follow(options.onProgress, scope.signal);
    await checkServers?.(begun, scope.signal);
    await tail.follow(options.onProgress, scope.signal);
    const moved = await moveAll(options, { tail, claimed, begun }, scope.signal);
    return { ...moved, keys, followed: tail.followed };
  } finally {
    scope.abort();
    await following;
  }
}

/** Copies the rest while writes wait, and lets them continue in the target. */
async function moveAll(
  { source, target, prefix, env, onProgress }: MigrateOptions,
  {
    tail,
    claimed,
    begun,
  }: { readonly tail: Tail; readonly claimed: StoredRecord; readonly begun: Migration },
  signal: AbortSignal,
): Promise<Migration & Pick<MigrationReport, 'pauseMs'>> {
  const { clock } = env;
  onProgress?.({ phase: 'pause', done: 0, total: 1 });
  const pausedAt = clock.monotonic();
  using limit = withDeadline(signal, clock, MAX_PAUSE_MS);
  const paused = await pauseWrites(source, begun, { clock, signal: limit.signal });
  let migration: Migration;
  try {
    await tail.complete(paused.lastRevision, limit.signal);
    const { lastRevision } = paused;
    migration = { ...begun, lastRevision, nextRevision: lastRevision + REVISION_GAP };
    const through = await target.store.currentRevision(limit.signal);
    const to = {
      ...claimed.record,
      revisionOffset: migration.nextRevision - through,
      carriedThrough: through,
      carriedFrom: lastRevision,
      backupId: source.place.known.record.backupId,
      migration,
    };
    const key = storeRecordKey(prefix);
    await changeRecord(target.store, key, { from: claimed, to, signal: limit.signal });
  } catch (error) {
    await paused.resume();
    throw error;
  }
  await paused.move(target, migration);
  onProgress?.({ phase: 'pause', done: 1, total: 1 });
  return { ...migration, pauseMs: clock.monotonic() - pausedAt };
}
