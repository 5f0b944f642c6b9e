import type { Env, Semaphore } from '@orch/machinery';
import type { Revision, Store } from '@orch/storage';
import type { CacheMetrics } from '../metrics.ts';
import type { WatchCacheOptions } from '../options.ts';
import type { QuorumReads, RevisionGate } from '../sync/quorum-reads.ts';
import type { TurnSchedule } from '../watch/flush-scheduler.ts';
import type { SnapshotBudget } from './resource-snapshots.ts';
import type { LiveResource } from './resource-watch-cache.ts';
import type { Shared } from './shared-budgets.ts';

/** What the cache of one resource needs of the whole. */
export interface CacheContext {
  readonly store: Store;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly shared: Shared;
  readonly snapshots: SnapshotBudget;
  readonly gate: RevisionGate;
  readonly quorum: QuorumReads;
  readonly turns: TurnSchedule;
  readonly metrics: CacheMetrics;
  /** Bounds lists of old revisions from the store. */
  readonly historicLists: Semaphore;
  /** Bounds catch-ups of watches from the store. */
  readonly catchUps: Semaphore;
  /** Aborts when the cache stops. */
  readonly signal: AbortSignal;
  draining(): boolean;
  /** Resolves when the resource is loaded. */
  loaded(resource: LiveResource, signal: AbortSignal): Promise<void>;
  /** Resolves when the cache has the revision; rejects with a StoreError `futureRevision` when that takes too long. */
  reachFuture(rev: Revision, signal: AbortSignal): Promise<void>;
}
