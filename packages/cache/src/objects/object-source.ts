import type { KeyRange, KeyValue, KvEvent, Revision, ScanOptions } from '@orch/storage';
import type { SharedPlace } from './adopted-slabs.ts';

/** An object that another thread has read and placed in memory that all threads read. */
export interface PlacedObject {
  /** The key in the store. */
  readonly key: string;
  readonly modRevision: Revision;
  readonly placed: PlacedContent;
}

/** What `CachedResource.ingest` has returned in the other thread. */
export interface PlacedContent {
  /** The JSON to serve, or a copy of it when it is not in shared memory. */
  readonly json: SharedPlace | Buffer;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  readonly revisionOffset: number;
  /** `CachedResource.form` in the other thread. */
  readonly form: string | undefined;
}

export type SourceObject = (KeyValue & { readonly placed?: undefined }) | PlacedObject;

export type SourceEvent =
  | { readonly type: 'put'; readonly kv: SourceObject }
  | Extract<KvEvent, { type: 'delete' }>;

/** Like `WatchBatch`. */
export interface SourceBatch {
  readonly rev: Revision;
  readonly events: readonly SourceEvent[];
}

/** Like `ScanPart`. */
export interface SourcePart {
  readonly rev: Revision;
  readonly items: readonly SourceObject[];
}

/** The states and events that keep a watch cache up to date, as a store or another thread delivers them. */
export interface ObjectSource {
  /** Like `Store.scan`; the keys of each resource are in order. */
  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<SourcePart>;
  /** Like `Store.watch`. */
  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<SourceBatch>;
}
