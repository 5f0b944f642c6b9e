/** Limits and periods of a watch cache. Sizes are in bytes, times in milliseconds. */
export interface WatchCacheOptions {
  /** All event histories together. Default 64 MIB. */
  readonly historyBytes: number;
  /** Age at which events are evicted from the histories, and unused snapshots dropped. Default 5 minutes. */
  readonly historyMs: number;
  /** Maximum number of snapshots kept for chunked lists, and of bytes that they may keep alive. Default 64, 128 MIB. */
  readonly maxSnapshots: number;
  readonly snapshotBytes: number;
  /** Most events undone to reconstruct an older state; beyond it the state is read from the store. Default 10,000. */
  readonly maxUndo: number;
  /** All cached encodings of objects together; one encoder may exceed it up to the size of its objects. Default 64 MIB. */
  readonly encodingBytes: number;
  /** Encoded events cached for watchers not yet served. Default 8 MIB. */
  readonly encodedEventBytes: number;
  /** Most pending items and bytes of one live watcher; beyond them it is served from the event history. */
  readonly watcherItems: number;
  readonly watcherBytes: number;
  /** Time that a sink may stay blocked while items wait, before the watch ends as `slow`. Default 60 s. */
  readonly stallMs: number;
  /** A bookmark is delivered after this long without items. Default 50 s. */
  readonly bookmarkMs: number;
  /** Time that `notOlderThan` waits for a revision that the cache has not reached. Default 3 s. */
  readonly futureWaitMs: number;
  /** Time limit of a consistent read, from its start until the cache has reached its revision. Default 10 s. */
  readonly consistentWaitMs: number;
  /** Time that a consistent read waits for events before the cache is compared with the store. Default 250 ms. */
  readonly progressMs: number;
  /** Time that a catch-up waits for the next batch of the store's history before it counts as lost. Default 10 s. */
  readonly silenceMs: number;
  /** Bytes read from the store at a time; loading holds a few such pages in memory. Default 1 MIB. */
  readonly pageBytes: number;
  /** Mean time between two comparisons with the store; 0 for never. Default 5 minutes. */
  readonly digestMs: number;
  /** Delay after a failed request to the store: starts at the first value and doubles up to the second, with jitter. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /**
   * Maximum number of concurrent catch-ups of watches from the store, and of lists of old revisions. Default 4 each.
   */
  readonly maxStoreReads: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_OPTIONS: WatchCacheOptions = Object.freeze({
  historyBytes: 64 * MIB,
  historyMs: 300_000,
  maxSnapshots: 64,
  snapshotBytes: 128 * MIB,
  maxUndo: 10_000,
  encodingBytes: 64 * MIB,
  encodedEventBytes: 8 * MIB,
  watcherItems: 1000,
  watcherBytes: 4 * MIB,
  stallMs: 60_000,
  bookmarkMs: 50_000,
  futureWaitMs: 3000,
  consistentWaitMs: 10_000,
  progressMs: 250,
  silenceMs: 10_000,
  pageBytes: MIB,
  digestMs: 300_000,
  retryMs: 100,
  maxRetryMs: 10_000,
  maxStoreReads: 4,
});
