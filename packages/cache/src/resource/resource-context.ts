import type { Env } from '@orch/machinery';
import type { Semaphore } from '@orch/machinery/concurrency';
import type { Revision, Store } from '@orch/storage';
import type { CacheMetrics } from '../metrics.ts';
import type { WatchCacheOptions } from '../options.ts';
import type { CachedResource } from '../types.ts';
import type { FlushScheduler } from '../watch/flush-scheduler.ts';
import type { SnapshotBudget } from './resource-snapshots.ts';
import type { StateContext } from './state-context.ts';

/** The state that the caches of all resources share, and their needs from the whole watch cache. */
export interface ResourceContext {
  readonly store: Store;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly shared: StateContext;
  readonly snapshots: SnapshotBudget;
  /** Its `revision` is the one up to which all loaded caches are complete. */
  readonly barrier: { readonly revision: Revision };
  /** Consistent reads: see `QuorumReads`. */
  readonly quorum: { consistent(): Promise<void> };
  readonly flushes: FlushScheduler;
  readonly metrics: CacheMetrics;
  /** Bounds lists of old revisions from the store. */
  readonly historicLists: Semaphore;
  /** Bounds catch-ups of watches from the store. */
  readonly catchUps: Semaphore;
  /** Repacks the objects of a resource, when another thread has written them. */
  readonly repacksElsewhere: ((resource: CachedResource) => void) | undefined;
  /** Aborts when the cache stops. */
  readonly signal: AbortSignal;
  draining(): boolean;
  /** Resolves when the cache has the revision; rejects with a StoreError `futureRevision` when that takes too long. */
  reachFuture(rev: Revision, signal: AbortSignal): Promise<void>;
}
