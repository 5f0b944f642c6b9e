import type { HubObject } from '@orch/kinds/hub-object';
import type { ApiObject } from '@orch/machinery';

/** A state of an object that the server keeps: in the hub version of its kind, read only. */
export interface SourceObject<T = ApiObject> {
  /** `namespace/name`, or `name` of what belongs to the cluster. */
  readonly key: string;
  readonly revision: number;
  /**
   * Parses the object at every call. Must be called synchronously: the memory is reused afterwards. Throws an `ApiError` for an object
   * that cannot be read, where the source has those.
   */
  read(): T;
}

/** Subscriber to a resource. Called synchronously for every change, before any request can read it: it must be fast. */
export interface ObjectSubscriber<T = ApiObject> {
  /** All objects of the resource; replaces everything received before. */
  reset(objects: Iterable<SourceObject<T>>): void;
  /** An object was created or changed; undefined when it was deleted. */
  changed(key: string, object: SourceObject<T> | undefined): void;
}

/**
 * The objects of the cluster for authenticators and authorizers, from the cache of the replica. Resources are named as in
 * the store: `secrets`, `clusterroles.rbac`, with the key of the group. Resources that the release does not have are
 * always empty.
 */
export interface ObjectSource {
  /** Resolves when all objects are loaded; undefined when they are already. No object is known before. */
  loaded(signal: AbortSignal): Promise<void> | undefined;
  /** Resolves when all writes before the call are visible. Rejects when that cannot be determined. */
  fresh(signal: AbortSignal): Promise<void>;
  /** The current state of an object, parsed once for each state. Throws as `SourceObject.read` does. */
  get<R extends string>(resource: R, namespace: string, name: string): HubObject<R> | undefined;
  /** The current state of an object, which is not parsed; `key` is that of `SourceObject`. */
  find<R extends string>(resource: R, key: string): SourceObject<HubObject<R>> | undefined;
  /** The current state of all objects of a resource, or of those in a namespace. */
  list<R extends string>(resource: R, namespace?: string): readonly SourceObject<HubObject<R>>[];
  /** Calls the subscriber with the present objects and each change, until the returned function is called. */
  subscribe<R extends string>(resource: R, listener: ObjectSubscriber<HubObject<R>>): () => void;
}

/** A cluster without objects. */
export const emptySource: ObjectSource = {
  loaded: () => undefined,
  fresh: () => Promise.resolve(),
  get: () => undefined,
  find: () => undefined,
  list: () => [],
  subscribe: () => () => undefined,
};
