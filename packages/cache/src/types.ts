import type { Revision } from '@orch/storage';

/** Names of a group's resource inside the cache, and how its stored bytes are read. */
export interface CachedResource {
  /** For metrics and logs: `pods`, `leases.coordination…`. */
  readonly name: string;
  /** Store keys of the resource begin with it and end with `namespace/name` or `name`. */
  readonly prefix: string;
  /** Labels under which objects can be selected by field, in the order of `Ingested.fields`. */
  readonly selectableFields: readonly string[];
  /** Which of `selectableFields` are worth an index over objects (few objects per value). */
  readonly indexedFields: readonly string[];
  /**
   * Reads stored bytes. `json`, with `insert` put in, are the bytes served as JSON in the stored version,
   * resourceVersion included; the cache copies them and keeps nothing else of what is returned, except labels and fields.
   * Throws when the bytes cannot be read; the object is then served as corrupt, and counted. `key` is below `prefix`.
   */
  ingest(value: Buffer, rev: Revision, key: string): Ingested;
  /**
   * What stands for stored bytes that `ingest` could not read. Without it: an object that holds nothing but
   * `metadata.name`, `namespace` and `resourceVersion`.
   */
  corrupt?(key: string, rev: Revision, error: unknown): Ingested;
}

/** Text to be put into bytes when they are copied: in the place of those from `offset` up to `resume`. ASCII. */
export interface Insert {
  readonly offset: number;
  readonly text: string;
  readonly resume: number;
}

export interface Ingested {
  readonly json: Buffer;
  /** What `json` lacks, so that nobody need copy it twice; nothing when absent. */
  readonly insert?: Insert;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  /**
   * Offset in `json`, once `insert` is put in, of the first digit of `metadata.resourceVersion`, when it is known. The cache looks for it itself
   * otherwise, in the rare case that it must write another revision (DELETED events).
   */
  readonly revisionOffset?: number;
}

/** Labels shared by all objects that carry the same ones, so that a selector is evaluated once for all of them. */
export interface LabelSet {
  readonly labels: Readonly<Record<string, string>>;
}

/** One encoding of objects (a media type, a version, a table row…), made at most once per object and kept with it. */
export interface ObjectEncoder {
  readonly id: string;
  /** In a list nothing stands between two objects in this encoding, not even a comma (Protobuf). */
  readonly unseparated?: true;
  encode(object: CachedObject): Buffer;
}

/** One immutable state of one object. */
export interface CachedObject {
  /** Without the prefix of its resource: `namespace/name` or `name`. */
  readonly key: string;
  readonly rev: Revision;
  readonly labels: LabelSet;
  /** Values of the resource's selectable fields. */
  readonly fields: readonly string[];
  /** The stored bytes could not be read: `json` holds a stand-in. */
  readonly corrupt: boolean;
  /** Length of `json` in bytes, without making a view. */
  readonly size: number;
  /** Served JSON bytes; a view, never to be written to. */
  json(): Buffer;
  encoded(encoder: ObjectEncoder): Buffer;
}

/** Decides on an object without its bytes. `requirements` lets the cache use its indexes; `matches` decides. */
export interface ObjectFilter {
  /** Equality requirements on selectable fields that every match fulfils. */
  readonly fieldEquals: readonly { readonly field: string; readonly value: string }[];
  matchesLabels(labels: Readonly<Record<string, string>>): boolean;
  matchesFields(fields: readonly string[]): boolean;
  /** Neither labels nor fields restrict anything. */
  readonly everything: boolean;
}

/** `''` for the whole resource, `namespace/` for a namespace; `exact` restricts to one key (watch of one object). */
export interface Scope {
  readonly prefix: string;
  readonly exact?: string;
}

/** What a read asks of the cache's age (spec 4.4). */
export type Freshness =
  | { readonly kind: 'any' }
  | { readonly kind: 'mostRecent' }
  | { readonly kind: 'notOlderThan'; readonly rev: Revision };

export interface ListQuery {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  readonly limit?: number;
  /** Continue after this key (exclusive); `at` is then set. */
  readonly after?: string;
  /** Exactly this revision: from a snapshot, the event history, or the store; `StoreError` `compacted` when nobody has it. */
  readonly at?: Revision;
}

export interface ListPage {
  /** The revision that the page is a state of. */
  readonly rev: Revision;
  readonly objects: readonly CachedObject[];
  /** Set when more objects may follow: the key to continue after. */
  readonly next?: string;
  /** Number of objects that follow, known only without a filter. */
  readonly remaining?: number;
}

export type WatchItem =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly rev: Revision;
      /** The new state; for DELETED the last state, carrying the revision of its deletion. */
      readonly object: CachedObject;
      /** The event in one encoding, made once and shared by all watchers: the frame that `encoder` builds. */
      encoded(encoder: EventEncoder): Buffer;
    }
  | { readonly type: 'BOOKMARK'; readonly rev: Revision; readonly initialEventsEnd: boolean };

/** Builds the bytes of one event in one encoding; memoised per event by `id` and type. */
export interface EventEncoder {
  readonly id: string;
  encode(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: CachedObject): Buffer;
}

/**
 * - `slow`: the watcher's bounded buffer overflowed; it must list or resume again.
 * - `expired`: history was lost (compaction while the cache was away): a 410 event.
 * - `drained`: the server is going away.
 */
export type WatchEnd = 'slow' | 'expired' | 'drained';

/**
 * The receiving side of a watch. `deliver` is called at most once per turn of the event loop with everything since the
 * last call, in revision order. It returns false when it can take no more; the cache then buffers, up to its bound,
 * until `resume` is called on the handle.
 */
export interface WatchSink {
  deliver(items: readonly WatchItem[]): boolean;
  end(reason: WatchEnd): void;
}

export interface WatchQuery {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  /**
   * `after`: changes after that revision. `state`: synthetic ADDED events for the state first; with
   * `initialEventsEnd` a bookmark saying so follows them.
   */
  readonly start:
    | { readonly kind: 'after'; readonly rev: Revision }
    | { readonly kind: 'state'; readonly initialEventsEnd: boolean };
  /** Ask for BOOKMARK items: about one a minute when quiet, and one before a clean end. */
  readonly bookmarks: boolean;
}

export interface WatchHandle {
  resume(): void;
  close(): void;
  /** A clean end: what waits is delivered, then a bookmark when the query asked for them, then `end('drained')`. */
  drain(): void;
}

/** Reads of one resource. A replica has one for every served resource, all fed by one watch of the store. */
export interface ResourceCache {
  readonly resource: CachedResource;
  /**
   * Returns when the cache is as fresh as asked. Rejects with the signal's reason, or with a `StoreError`
   * `futureRevision` when `notOlderThan` was not reached within the wait bound (about 3 s).
   */
  waitFresh(freshness: Freshness, signal: AbortSignal): Promise<void>;
  /**
   * `waitFresh` of `mostRecent` for whoever has no signal to give: one promise for all who wait together, which is what
   * makes such reads cheap. Settles within the wait bound; undefined until the initial list is loaded.
   */
  whenMostRecent(): Promise<void> | undefined;
  /** True when `freshness` needs no wait at all: lets the hot path skip a promise. */
  isFresh(freshness: Freshness): boolean;
  /** The revision up to which the cache is complete; 0 until the initial list is loaded. */
  revision(): Revision;
  get(key: string): CachedObject | undefined;
  /** Synchronous when the page comes from memory; a promise when it comes from the store. */
  list(query: ListQuery, signal: AbortSignal): ListPage | Promise<ListPage>;
  /**
   * Rejects with a `StoreError` `compacted` when `start.after` is older than the cache's window and the store's history.
   * Nothing is delivered before the promise resolves. When the signal aborts the watch is closed, without `end`.
   */
  watch(query: WatchQuery, sink: WatchSink, signal: AbortSignal): Promise<WatchHandle>;
  count(): number;
  /** Watchers that a change of the object with this key is offered to, apart from those that select by a field. */
  watcherCount(key: string): number;
  /** Tells of every change from now on, until the returned function is called. */
  subscribe(subscriber: CacheSubscriber): () => void;
}

/**
 * Something that the server derives from objects and that must never be behind them. It is called within the change,
 * before any reader sees it, so it must be quick and must not throw.
 */
export interface CacheSubscriber {
  /** Undefined when the object is gone. The object's bytes may be read during the call only. */
  changed(key: string, object: CachedObject | undefined): void;
  /** The whole state is another one: it was loaded, or rebuilt. */
  replaced(): void;
}

/** All caches of a replica, fed by one watch of the store on the whole registry prefix. */
export interface WatchCache {
  /** The cache of a resource, by its name or its prefix. */
  resource(nameOrPrefix: string): ResourceCache | undefined;
  /**
   * Begins to cache a resource while the cache runs (a custom resource): resolves when its objects are loaded. Its
   * cache can be found at once, and is not fresh for anything until then. Prefixes must not contain one another.
   */
  addResource(resource: CachedResource, signal: AbortSignal): Promise<ResourceCache>;
  /** Forgets a resource; its watchers end with `drained`. */
  removeResource(nameOrPrefix: string): void;
  /**
   * Loads the caches and follows the store until the signal aborts; returns when this work has ended. Rejects with a
   * StoreError `closed` when the store was closed, and `corrupt` when its revision went back (it was restored from a
   * backup: start anew). Everything else is retried, while what is cached stays served.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the initial lists are loaded. */
  ready(signal: AbortSignal): Promise<void>;
  isReady(): boolean;
  /** The revision up to which all caches are complete; 0 until the initial list is loaded. */
  revision(): Revision;
  /** Ends all watches cleanly: what is deliverable, a bookmark, `drained`. Watches begun later end at once. */
  drain(): void;
  /** Compares all caches with the store now, and repairs; also done periodically by `run`. */
  verify(signal: AbortSignal): Promise<DigestResult>;
}

export interface DigestResult {
  readonly rev: Revision;
  readonly compared: number;
  readonly mismatches: number;
}
