import type { Env, Semaphore } from '@orch/machinery';
import type { Revision, Store } from '@orch/storage';
import type { CacheMetrics } from '../metrics.ts';
import type { WatchCacheOptions } from '../options.ts';
import type { QuorumReads, RevisionBarrier } from '../sync/quorum-reads.ts';
import type { FlushScheduler } from '../watch/flush-scheduler.ts';
import type { SnapshotBudget } from './resource-snapshots.ts';
import type { ResourceWatchCache } from './resource-watch-cache.ts';
import type { SharedBudgets } from './shared-budgets.ts';

/** What the cache of one resource needs of the whole. */
export interface ResourceContext {
  readonly store: Store;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly shared: SharedBudgets;
  readonly snapshots: SnapshotBudget;
  readonly barrier: RevisionBarrier;
  readonly quorum: QuorumReads;
  readonly flushes: FlushScheduler;
  readonly metrics: CacheMetrics;
  /** Bounds lists of old revisions from the store. */
  readonly historicLists: Semaphore;
  /** Bounds catch-ups of watches from the store. */
  readonly catchUps: Semaphore;
  /** Aborts when the cache stops. */
  readonly signal: AbortSignal;
  draining(): boolean;
  /** Resolves when the resource is loaded. */
  loaded(resource: ResourceWatchCache, signal: AbortSignal): Promise<void>;
  /** Resolves when the cache has the revision; rejects with a StoreError `futureRevision` when that takes too long. */
  reachFuture(rev: Revision, signal: AbortSignal): Promise<void>;
}
