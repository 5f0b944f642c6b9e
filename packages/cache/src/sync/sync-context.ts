import type { Env } from '@orch/machinery';
import type { Store } from '@orch/storage';
import type { CacheMetrics } from '../metrics.ts';
import type { WatchCacheOptions } from '../options.ts';
import type { RevisionBarrier } from './revision-barrier.ts';

/** The parts of the watch cache that synchronization with the store uses. */
export interface SyncContext {
  readonly store: Store;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly barrier: RevisionBarrier;
  readonly metrics: CacheMetrics;
  /** Aborts when the cache stops. */
  readonly signal: AbortSignal;
}
