import type { Revision, StoreErrorCode } from '../../store.ts';

/** Settings of the writer thread. */
export interface WriterSettings {
  readonly path: string;
  /** Maximum size of the database; 0 means no limit. */
  readonly maxBytes: number;
  /** Disk space reserved for deletions; less on a small disk. */
  readonly reserveBytes: number;
  /** Bytes of the write-ahead log after which it is copied back. */
  readonly checkpointBytes: number;
}

/** Requests are answered one at a time, in order. */
export type Request =
  /** Encoded by `encodeBatch`; both buffers are transferred. */
  | {
      readonly type: 'batch';
      readonly meta: Float64Array<ArrayBuffer>;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** Deletes up to `limit` keys that are expired at `now` (epoch milliseconds). */
  | { readonly type: 'expire'; readonly now: number; readonly limit: number }
  | { readonly type: 'compact'; readonly through: Revision }
  /** Checks whether a full store has space again. */
  | { readonly type: 'checkSpace' }
  | { readonly type: 'close' };

export type Reply =
  /** Without a request, once, when the writer has opened the database. */
  | { readonly type: 'ready'; readonly rev: Revision }
  /** Without a request: background work failed and will be retried. */
  | { readonly type: 'warning'; readonly message: string }
  /** Without a request: the store has become full, or has space again. */
  | { readonly type: 'space'; readonly isFull: boolean }
  /** Read by `Results`; `currents` holds the values of lost races by index in the batch. */
  | {
      readonly type: 'committed';
      readonly results: Float64Array<ArrayBuffer>;
      readonly currents: ReadonlyMap<number, Uint8Array> | undefined;
    }
  /** Keys were deleted in this order, the first at `firstRev`, each one revision later than the one before. */
  | {
      readonly type: 'expired';
      readonly keys: readonly string[];
      readonly firstRev: Revision;
      /** Time at which the next key expires. */
      readonly next: number | undefined;
    }
  | { readonly type: 'done' }
  /** The whole request failed. Unless `code` is `outcomeUnknown`, nothing of it was or will be written. */
  | { readonly type: 'failed'; readonly code: StoreErrorCode; readonly message: string };
