import type { ApiObject } from '@orch/machinery';
import type { Resource, TypedResource } from '../rest/types.ts';

/** Keys of an index that an object stands under. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** `namespace/name`, or `name` for resources of the cluster. */
export type ObjectKey = string;

/** The objects that an informer has, as of one resourceVersion. Objects are shared and must not be changed. */
export interface Store<T extends ApiObject = ApiObject> {
  readonly size: number;
  get(key: ObjectKey): T | undefined;
  /** Iterates over what is there now; changes meanwhile may or may not be seen. */
  values(): Iterable<T>;
  byIndex(index: string, value: string): readonly T[];
}

/** A change of one object, after it is in the store. A deletion that was only noticed by a relist is `isStale`. */
export type Change<T extends ApiObject = ApiObject> =
  | { readonly type: 'added'; readonly object: T; readonly isInitial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly isStale: boolean };

/**
 * A local copy of a resource, kept up to date by list and watch for as long as `run` runs. It never ends by itself:
 * every failure is logged, counted and tried again with jittered backoff; a 410 lists again; a watch that says nothing
 * for too long is replaced.
 */
export interface Informer<T extends ApiObject = ApiObject> {
  readonly resource: Resource;
  readonly store: Store<T>;
  readonly hasSynced: boolean;
  /** The resourceVersion that the store has reached; empty before the first list. */
  readonly resourceVersion: string;
  /** Resolves once the store has everything that a first list said. Rejects with the signal's reason. */
  synced(signal: AbortSignal): Promise<void>;
  /**
   * Called for every change in order, and at once with `added` for what is there already. Listeners return quickly and
   * do not throw (a throw is logged). Answers the function that ends it.
   */
  subscribe(listener: (change: Change<T>) => void): () => void;
  /** Adds an index, over what is there too; once for each name. */
  addIndex(name: string, keys: IndexFunction<T>): void;
  /** Resolves when the signal aborts, and only then. Once. */
  run(signal: AbortSignal): Promise<void>;
}

export interface InformerOptions<T extends ApiObject = ApiObject> {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Holds nothing of the objects but kind, apiVersion and metadata, and asks the server for no more. */
  readonly metadataOnly?: boolean;
  /**
   * Makes of an object what is kept of it (to spend less memory), of parts that nobody else has; managed fields are left
   * out unless this is set.
   */
  readonly transform?: (object: T) => T;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

/** Informers of one client, one for each resource and options, so that controllers share them. */
export interface InformerFactory {
  informer<T extends ApiObject = ApiObject>(
    resource: TypedResource<T>,
    options?: InformerOptions<T>,
  ): Informer<T>;
  /** Runs every informer that was asked for, also those asked for later, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}
