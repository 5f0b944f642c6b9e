import type { ApiObject } from '@orch/machinery';
import type { ObjectKey } from '../objects/object-key.ts';
import type { FieldSelection, LabelSelection } from '../rest/selection.ts';
import type { Resource, Stored, TypedResource } from '../rest/types.ts';

/** The index values of an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** The objects of an informer, as of one resourceVersion. Objects are shared and must not be changed. */
export interface Store<T extends ApiObject = ApiObject> {
  readonly size: number;
  get(key: ObjectKey): T | undefined;
  /** Iterates over the current objects; concurrent changes may or may not be included. */
  values(): Iterable<T>;
  byIndex(index: string, value: string): readonly T[];
  /** The number of objects that `byIndex` returns. */
  countByIndex(index: string, value: string): number;
}

/** A change of one object, after it is in the store. `isStale`: the deletion was detected by a list. */
export type Change<T extends ApiObject = ApiObject> =
  | { readonly type: 'added'; readonly object: T; readonly isInitial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly isStale: boolean };

/**
 * A local copy of a resource, kept up to date by list and watch while `run` runs. It ends only when it is stopped:
 * failures are logged, counted and retried with jittered backoff; a 410 leads to a new list; a watch without events for
 * too long is replaced.
 */
export interface Informer<T extends ApiObject = ApiObject> {
  readonly resource: Resource;
  readonly store: Store<Stored<T>>;
  readonly hasSynced: boolean;
  /** The resourceVersion of the store; empty before the first list. */
  readonly resourceVersion: string;
  /** Resolves once the store has the objects of a first list. Rejects with the reason of the signal. */
  synced(signal: AbortSignal): Promise<void>;
  /**
   * The listener is called for every change in order, and immediately with `added` for existing objects. Listeners return
   * quickly and do not throw (a throw is logged). Returns the function that ends the subscription.
   */
  subscribe(listener: (change: Change<Stored<T>>) => void): () => void;
  /** Adds an index, for existing objects too; once per name. */
  addIndex(name: string, keys: IndexFunction<Stored<T>>): void;
  /** Resolves when the signal aborts, and only then. Once. */
  run(signal: AbortSignal): Promise<void>;
}

/** The objects of an informer, and the form in which it keeps them. */
export interface InformerOptions<T extends ApiObject = ApiObject> {
  readonly namespace?: string;
  readonly labelSelector?: LabelSelection;
  readonly fieldSelector?: FieldSelection;
  /** Keeps kind, apiVersion and metadata of objects only, and requests only these. */
  readonly metadataOnly?: boolean;
  /**
   * Selects the parts of an object to cache, to save memory. They must not be shared with other code, and keep the
   * kind, name, uid and resourceVersion. Without a transform managed fields are removed.
   */
  readonly transform?: (object: Stored<T>) => Stored<T>;
  readonly indexes?: Readonly<Record<string, IndexFunction<Stored<T>>>>;
}

/** Options of an informer that is not shared. */
export interface OwnInformerOptions<T extends ApiObject = ApiObject> extends InformerOptions<T> {
  /** Called with the error of every list that fails, before the informer waits for its next attempt. */
  readonly onListFailed?: (error: unknown) => void;
}

/** The informers of one client, one per resource and options, which controllers share. */
export interface InformerFactory {
  informer<T extends ApiObject = ApiObject>(
    resource: TypedResource<T>,
    options?: InformerOptions<T>,
  ): Informer<T>;
  /** Runs every informer, including those requested later, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}
