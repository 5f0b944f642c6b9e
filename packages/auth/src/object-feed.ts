import type { ApiObject } from '@orch/machinery';

/** A state of an object that the server keeps: in the hub version of its kind, read only. */
export interface FeedObject {
  /** `namespace/name`, or `name` of what belongs to the cluster. */
  readonly key: string;
  readonly revision: number;
  /** Parsed anew by every call; to be called before control is given back, since memory is used again. */
  read(): ApiObject;
}

/** Who follows a resource. Called at once with every change, before any request can see it: it must be quick. */
export interface FeedListener {
  /** All that there is, in the place of everything told before. */
  reset(objects: Iterable<FeedObject>): void;
  /** An object is new or was changed; undefined when it is gone. */
  changed(key: string, object: FeedObject | undefined): void;
}

/**
 * What authenticators and authorizers see of the objects of the cluster, as the replica's cache has them. Resources are
 * named as in the store: `secrets`, `clusterroles.rbac`, with the key of the group. Resources that the release does not
 * have are empty for ever.
 */
export interface ObjectFeed {
  /** Nothing is known before: resolves when everything is, undefined when that is so already. */
  loaded(signal: AbortSignal): Promise<void> | undefined;
  /** Resolves when everything is known that was written before. Rejects when that cannot be found out. */
  fresh(signal: AbortSignal): Promise<void>;
  /** An object as it is now, parsed once for every state of it. */
  get(resource: string, namespace: string, name: string): ApiObject | undefined;
  /** All objects of a resource as they are now. */
  list(resource: string): readonly FeedObject[];
  /** Follows a resource, beginning with what is there, until the returned function is called. */
  follow(resource: string, listener: FeedListener): () => void;
}

/** A cluster without objects. */
export const emptyFeed: ObjectFeed = {
  loaded: () => undefined,
  fresh: () => Promise.resolve(),
  get: () => undefined,
  list: () => [],
  follow: () => () => undefined,
};
