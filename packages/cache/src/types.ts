import type { Revision } from '@orch/storage';

/** A resource to be cached: its keys in the store, its selectable fields, and how its stored bytes are read. */
export interface CachedResource {
  /** The name in metrics and logs: `pods`, `leases.coordination…`. */
  readonly name: string;
  /** The store keys of the resource are `prefix` followed by `namespace/name` or `name`. */
  readonly prefix: string;
  /** Names of the fields that objects can be selected by, in the order of `Ingested.fields`. */
  readonly selectableFields: readonly string[];
  /** The `selectableFields` that get an index over objects, because few objects share a value. */
  readonly indexedFields: readonly string[];
  /** The `selectableFields` whose values no or few other objects have. */
  readonly distinctFields?: readonly string[];
  /**
   * Names how `ingest` reads, where that depends on a definition that changes. Caches with the same form of a resource read the same
   * bytes alike.
   */
  readonly form?: string;
  /**
   * Reads stored bytes. `json` with `insert` applied is the JSON served in the stored version, including
   * resourceVersion. The cache copies these bytes, labels and fields, and does not keep the returned value. Throws when
   * the bytes cannot be read; the object is then served as corrupt, and counted. `key` is relative to `prefix`.
   */
  ingest(value: Buffer, rev: Revision, key: string): Ingested;
  /** Called with the JSON of each object that `ingest` has read in another thread. */
  adopted?(json: Buffer): void;
  /**
   * The replacement for stored bytes that `ingest` could not read. Without this method it is an object with only
   * `metadata.name`, `namespace` and `resourceVersion`.
   */
  corrupt?(key: string, rev: Revision, error: unknown): Ingested;
}

/** ASCII text that replaces the bytes from `offset` up to `resume` when they are copied. */
export interface Insert {
  readonly offset: number;
  readonly text: string;
  readonly resume: number;
}

export interface Ingested {
  readonly json: Buffer;
  /** An edit of `json` that is applied while the cache copies it, which saves one copy. */
  readonly insert?: Insert;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  /**
   * Offset in `json` with `insert` applied of the first digit of `metadata.resourceVersion`, when it is known. Otherwise
   * the cache searches for it when it has to write another revision (DELETED events).
   */
  readonly revisionOffset?: number;
}

/** Labels, shared by all objects with equal labels, so that a selector is evaluated once for all of them. */
export interface LabelSet {
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Encodes objects in one form (a media type, a version, a table row…). The cache keeps the encodings with the objects,
 * within bounds, so that each object is usually encoded once.
 */
export interface ObjectEncoder {
  readonly id: string;
  /** Objects of a list are not separated by commas in this encoding (Protobuf). */
  readonly unseparated?: true;
  encode(object: CachedObject): Buffer;
}

/** One immutable state of one object. */
export interface CachedObject {
  /** The store key without the prefix of the resource: `namespace/name` or `name`. */
  readonly key: string;
  readonly rev: Revision;
  readonly labels: LabelSet;
  /** The value of a selectable field of the resource, by its position; empty for an object without it. */
  field(position: number): string;
  /** The stored bytes could not be read: `json` is a replacement. */
  readonly corrupt: boolean;
  /** Length of `json` in bytes. */
  readonly size: number;
  /** The JSON to serve; a view that must not be written to. */
  json(): Buffer;
  /** The object's bytes from an encoder, cached if possible; a view that must not be written to. */
  encoded(encoder: ObjectEncoder): Buffer;
  /** Whether the bytes from an encoder are cached. */
  isEncoded(encoder: ObjectEncoder): boolean;
}

/** Selects objects by labels and fields. An object is selected when `matchesLabels` and `matchesFields` return true. */
export interface ObjectFilter {
  /** Equality requirements on selectable fields that every selected object fulfils; they allow the use of indexes. */
  readonly fieldEquals: readonly { readonly field: string; readonly value: string }[];
  /** Labels that every selected object has, when they are known; they allow the use of indexes. */
  readonly labelEquals?: readonly { readonly label: string; readonly value: string }[];
  matchesLabels(labels: Readonly<Record<string, string>>): boolean;
  matchesFields(object: Pick<CachedObject, 'field'>): boolean;
  /** Every object is selected. */
  readonly everything: boolean;
}

/** `''` for the whole resource, `namespace/` for a namespace; `exact` restricts to one key (watch of one object). */
export interface Scope {
  readonly prefix: string;
  readonly exact?: string;
}

/** The required freshness of the state that a read is served from (spec 4.4). */
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
  /** Exactly this revision: from a snapshot, the event history, or the store; `StoreError` `compacted` when all lack it. */
  readonly at?: Revision;
}

export interface ListPage {
  /** The revision of the state that the page shows. */
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
      /** The new state; for DELETED the last state, with the revision of the deletion. */
      readonly object: CachedObject;
      /** The bytes of the event from an encoder, encoded once and shared by all watchers. */
      encoded(encoder: EventEncoder): Buffer;
    }
  | { readonly type: 'BOOKMARK'; readonly rev: Revision; readonly initialEventsEnd: boolean };

/** Encodes events in one form. The results are cached per event by `id` and type. */
export interface EventEncoder {
  readonly id: string;
  encode(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: CachedObject): Buffer;
}

/**
 * - `slow`: the sink was blocked for too long; the client must list or resume again.
 * - `expired`: events were lost (compaction while the cache had no watch of the store): a 410 event.
 * - `drained`: the server or the resource is shut down.
 */
export type WatchEnd = 'slow' | 'expired' | 'drained';

/**
 * The receiver of a watch. `deliver` is called at most once per tick with all items since the last call, in revision
 * order. When it returns false, the cache buffers items, up to its limits, until `resume` is called on the handle.
 */
export interface WatchSink {
  deliver(items: readonly WatchItem[]): boolean;
  end(reason: WatchEnd): void;
}

export interface WatchQuery {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  /**
   * `after`: events after that revision. `state`: first synthetic ADDED events for the current state, followed by a
   * bookmark when `initialEventsEnd` is true.
   */
  readonly start:
    | { readonly kind: 'after'; readonly rev: Revision }
    | { readonly kind: 'state'; readonly initialEventsEnd: boolean };
  /** Deliver BOOKMARK items: about one a minute when there are no events, and one before a clean end. */
  readonly bookmarks: boolean;
}

export interface WatchHandle {
  resume(): void;
  close(): void;
  /** Ends cleanly: delivers pending items, then a bookmark when the query has `bookmarks`, then calls `end('drained')`. */
  drain(): void;
}

/** An object whose stored value cannot be decrypted or decoded now. */
export interface UnreadableObject {
  /** Below the prefix of the resource. */
  readonly key: string;
  /** Revision of the value. */
  readonly rev: Revision;
  readonly reason: string;
  /** It can be decrypted when a key service answers again. */
  readonly isTemporary: boolean;
}

/** Reads of one resource. A replica has one for every served resource, all updated by one watch of the store. */
export interface ResourceCache {
  readonly resource: CachedResource;
  /**
   * Resolves when the cache is as fresh as required. Rejects with the signal's reason, or with a `StoreError`
   * `futureRevision` when `notOlderThan` was not reached within `futureWaitMs`.
   */
  waitFresh(freshness: Freshness, signal: AbortSignal): Promise<void>;
  /**
   * `waitFresh` of `mostRecent` without a signal: one promise shared by all concurrent callers, which makes such reads
   * cheap. Settles within `consistentWaitMs`; undefined until the initial list is loaded.
   */
  whenMostRecent(): Promise<void> | undefined;
  /**
   * The objects in the scope whose stored values cannot be decrypted or decoded. Watches of such a scope end as `expired` when that
   * begins or ends, and cannot resume from before.
   */
  unreadable(scope: Scope): readonly UnreadableObject[];
  /** True when `freshness` requires no wait, so that the hot path needs no promise. */
  isFresh(freshness: Freshness): boolean;
  /** The revision up to which the cache is complete; 0 until the initial list is loaded. */
  revision(): Revision;
  get(key: string): CachedObject | undefined;
  /**
   * Synchronous when the page comes from memory; a promise when it comes from the store. That rejects with an
   * `UnreadableObjectsError` when the scope had objects which cannot be decoded.
   */
  list(query: ListQuery, signal: AbortSignal): ListPage | Promise<ListPage>;
  /**
   * Rejects with a `StoreError` `compacted` when `start.rev` is older than the event history and the store's history.
   * Nothing is delivered before the promise resolves. When the signal aborts, the watch is closed without calling `end`.
   */
  watch(query: WatchQuery, sink: WatchSink, signal: AbortSignal): Promise<WatchHandle>;
  /** Number of objects below a prefix, which is empty or ends with a slash. Its cost does not depend on their number. */
  count(prefix?: string): number;
  /** Bytes of the objects, and of the earlier states that the event history holds. */
  bytes(): number;
  /**
   * Number of watchers that a change of the object with this key is offered to, not counting those that select by a
   * field.
   */
  watcherCount(key: string): number;
  /** Calls the subscriber with every change from now on, until the returned function is called. */
  subscribe(subscriber: CacheSubscriber): () => void;
}

/**
 * Maintains data that is derived from objects and must always be consistent with them. It is called synchronously during
 * the change, before any reader can see it, so it must be fast and must not throw.
 */
export interface CacheSubscriber {
  /** `object` is undefined when it was deleted. Its bytes may only be read during the call. */
  changed(key: string, object: CachedObject | undefined): void;
  /** The whole state was loaded or replaced. */
  replaced(): void;
}

/** All caches of a replica, updated by one watch of the store on the whole registry prefix. */
export interface WatchCache {
  /** The cache of a resource, by its name or its prefix. */
  resource(nameOrPrefix: string): ResourceCache | undefined;
  /**
   * Adds a resource while the cache runs (a custom resource); resolves when its objects are loaded. `resource` finds it
   * immediately, but it is not fresh until then. No prefix may begin with the prefix of another resource.
   */
  addResource(resource: CachedResource, signal: AbortSignal): Promise<ResourceCache>;
  /** Removes a resource; its watchers end with `drained`, after all events that are in memory. */
  removeResource(nameOrPrefix: string): void;
  /**
   * Loads the caches and reflects the store until the signal aborts; resolves when all work has ended. Rejects with a
   * StoreError `closed` when the store was closed, and `corrupt` when its revision decreased (it was restored from a
   * backup, and the process must restart). Other errors are retried, and the cached state is served meanwhile.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the initial lists are loaded. */
  ready(signal: AbortSignal): Promise<void>;
  isReady(): boolean;
  /** The revision up to which all caches are complete; 0 until the initial list is loaded. */
  revision(): Revision;
  /** Ends all watches cleanly: pending items, a bookmark, `drained`. Watches started later end immediately. */
  drain(): void;
  /** Delivers a bookmark to every watch that has them and is up to date. */
  bookmark(): void;
  /** Sizes of the caches of all resources now. */
  figures(): readonly CacheFigures[];
  /** Compares all caches with the store and repairs differences; `run` also does this periodically. */
  verify(signal: AbortSignal): Promise<DigestResult>;
  /**
   * Reads objects again whose bytes could not be read, after the reason may have ended. Returns how many are readable now. Watches
   * that select one of them end with `expired`.
   */
  readCorruptAgain(signal: AbortSignal): Promise<number>;
}

/** Sizes of the cache of one resource. */
export interface CacheFigures {
  readonly resource: string;
  readonly isLoaded: boolean;
  readonly revision: Revision;
  readonly objects: number;
  /** Bytes of the objects. */
  readonly bytes: number;
  /** Events that the history holds. */
  readonly events: number;
  readonly watchers: number;
}

export interface DigestResult {
  readonly rev: Revision;
  readonly compared: number;
  readonly mismatches: number;
}
