import type { Env } from '@orch/machinery';
import type { Store } from '@orch/storage';
import type { ObjectFeed } from '../feed/object-feed.ts';
import type { CacheMetrics } from '../metrics.ts';
import type { ObjectSource } from '../objects/object-source.ts';
import type { WatchCacheOptions } from '../options.ts';
import type { RevisionBarrier } from './revision-barrier.ts';

/** The parts of the watch cache that synchronization with the store uses. */
export interface SyncContext {
  readonly store: Store;
  /** Where states and events come from: the store, or the watch cache of the first thread. */
  readonly source: ObjectSource;
  /** Passes states and events to the watch caches of further threads. */
  readonly feed: ObjectFeed | undefined;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly barrier: RevisionBarrier;
  readonly metrics: CacheMetrics;
  /** Aborts when the cache stops. */
  readonly signal: AbortSignal;
}
