import type { MessagePort } from 'node:worker_threads';
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

/** To a thread that writes several stores: it opens one, and answers its requests over the port. */
export interface OpenRequest {
  readonly settings: WriterSettings;
  readonly port: MessagePort;
}

/** Writes that `encodeBatch` has encoded; both buffers are transferred. */
export interface EncodedBatch {
  readonly meta: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The requests of each port are answered one at a time, in order. */
export type Request =
  | (EncodedBatch & { readonly type: 'batch' })
  /** Deletes up to `limit` keys that are expired at `now` (epoch milliseconds). */
  | { readonly type: 'expire'; readonly now: number; readonly limit: number }
  | { readonly type: 'compact'; readonly through: Revision }
  /** Checks whether a full store has space again. */
  | { readonly type: 'checkSpace' }
  /** Of the thread that has opened the store, without a reply: another thread sends requests over this port. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  /** Of another thread: it sends no more requests. */
  | { readonly type: 'leave' }
  | { readonly type: 'close' };

/** The state of the store after a transaction. */
export interface Progress {
  readonly rev: Revision;
  /** Time at which the first of the keys expires that the transaction has written; undefined when they do not expire. */
  readonly expires: number | undefined;
}

export type Reply =
  /** Without a request, once, when the writer has opened the database, or a port to it was connected. */
  | { readonly type: 'ready'; readonly rev: Revision }
  /** Without a request: background work failed and will be retried. */
  | { readonly type: 'warning'; readonly message: string }
  /** Without a request: the store has become full, or has space again. */
  | { readonly type: 'space'; readonly isFull: boolean }
  /** Without a request: the transaction of other threads. */
  | ({ readonly type: 'reached' } & Progress)
  /** Read by `Results`; `currents` holds the values of lost races by index in the batch. */
  | ({
      readonly type: 'committed';
      readonly results: Float64Array<ArrayBuffer>;
      readonly currents: ReadonlyMap<number, Uint8Array> | undefined;
    } & Progress)
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
