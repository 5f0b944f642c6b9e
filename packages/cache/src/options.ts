/** Bounds and periods of a watch cache. Sizes in bytes, times in milliseconds. */
export interface WatchCacheOptions {
  /** All event histories together. Default 64 MiB. */
  readonly historyBytes: number;
  /** Age at which events leave the histories, and at which unused snapshots go. Default 5 minutes. */
  readonly historyMs: number;
  /** Most snapshots kept for chunked lists, and what they may keep alive. Default 64, 128 MiB. */
  readonly maxSnapshots: number;
  readonly snapshotBytes: number;
  /** Most window events undone to rebuild an older state; the store is asked beyond. Default 10,000. */
  readonly maxUndo: number;
  /** All memoised encodings together; more where the objects of one resource take more by themselves. Default 64 MiB. */
  readonly encodingBytes: number;
  /** Encoded events kept for watchers still to be served. Default 8 MiB. */
  readonly encodedEventBytes: number;
  /** What waits for one watcher that is live; beyond, it is served from the event history when it takes more. */
  readonly watcherItems: number;
  readonly watcherBytes: number;
  /** How long a watcher may refuse to take what waits for it, before it ends as `slow`. Default 60 s. */
  readonly stallMs: number;
  /** A watcher that had nothing for this long gets a bookmark. Default 50 s. */
  readonly bookmarkMs: number;
  /** How long `notOlderThan` waits for a revision that is not there yet. Default 3 s. */
  readonly futureWaitMs: number;
  /** How long a consistent read may take, from its start until the cache has its revision. Default 10 s. */
  readonly consistentWaitMs: number;
  /** How long a consistent read waits for events before it looks whether the cache lacks anything. Default 250 ms. */
  readonly progressMs: number;
  /** How long a catch-up waits for the store to tell history, before it takes it for lost. Default 10 s. */
  readonly silenceMs: number;
  /** Bytes asked of the store at a time: a few such parts add to the memory of loading. Default 1 MiB. */
  readonly pageBytes: number;
  /** Mean time between two comparisons with the store; 0 for never. Default 5 minutes. */
  readonly digestMs: number;
  /** Waits after a failed request to the store: from the first value, doubled up to the second, with jitter. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** Most catch-ups of watches from the store at a time, and most lists of old revisions. Default 4 each. */
  readonly maxStoreReads: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_OPTIONS: WatchCacheOptions = Object.freeze({
  historyBytes: 64 * MiB,
  historyMs: 300_000,
  maxSnapshots: 64,
  snapshotBytes: 128 * MiB,
  maxUndo: 10_000,
  encodingBytes: 64 * MiB,
  encodedEventBytes: 8 * MiB,
  watcherItems: 1000,
  watcherBytes: 4 * MiB,
  stallMs: 60_000,
  bookmarkMs: 50_000,
  futureWaitMs: 3000,
  consistentWaitMs: 10_000,
  progressMs: 250,
  silenceMs: 10_000,
  pageBytes: MiB,
  digestMs: 300_000,
  retryMs: 100,
  maxRetryMs: 10_000,
  maxStoreReads: 4,
});
