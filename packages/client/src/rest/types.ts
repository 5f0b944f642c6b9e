import type { ApiObject, ObjectMeta, Status } from '@orch/machinery';
import type { TypedResource } from '../resources/typed-resource.ts';
import type * as authentication from '../types/authentication.ts';
import type * as autoscaling from '../types/autoscaling.ts';
import type * as core from '../types/core.ts';
import type * as policy from '../types/policy.ts';
import type { ApplyConfiguration, MergePatch, MetadataPatch, StrategicPatch } from './patches.ts';
import type { FieldSelection, LabelSelection } from './selection.ts';

export type { Resource, TypedResource } from '../resources/typed-resource.ts';

/**
 * An object as a server returns it: with its kind, name, uid and resourceVersion. Only the answers to creations of reviews, which
 * are not stored, have no metadata.
 */
export type Stored<T extends ApiObject> = T & {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: T['metadata'] & Required<Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion'>>;
};

/** The objects that a list selects, and the state that it shows. */
export interface ListOptions {
  readonly labelSelector?: LabelSelection;
  readonly fieldSelector?: FieldSelection;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Items of one page; chosen by the server, usually all, when absent. */
  readonly limit?: number;
  readonly continue?: string;
}

/** Objects of one state of a resource, or a page of them. */
export interface List<T extends ApiObject = ApiObject> {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** The objects that a watch selects, and where it starts. */
export interface WatchOptions {
  readonly labelSelector?: LabelSelection;
  readonly fieldSelector?: FieldSelection;
  /** Events after this version; absent: the current state as `ADDED` events, then changes. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly allowBookmarks?: boolean;
  /** The state as `ADDED` events, which end with a bookmark with the initial-events-end annotation. */
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  /** Called when the server has accepted the watch, before its first event. */
  readonly onOpen?: () => void;
}

/** One event of a watch (spec 2.4). An `ERROR` of the stream is thrown as `ApiError`. */
export type WatchEvent<T extends ApiObject = ApiObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** All changes up to the resourceVersion were sent; the metadata has no other fields than that and annotations. */
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject };

/** Options of a write. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Options of a server-side apply. */
export interface ApplyOptions {
  readonly fieldManager: string;
  /** Takes over fields of other owners. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** How an object is deleted. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Each patch type has its own method, so that a body cannot be sent with a wrong media type. */
export interface PatchClient<T extends ApiObject> {
  json(
    name: string,
    operations: readonly JsonPatchOperation[],
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<Stored<T>>;
  merge(
    name: string,
    patch: MergePatch<T> | MetadataPatch,
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<Stored<T>>;
  strategic(
    name: string,
    patch: StrategicPatch<T>,
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<Stored<T>>;
  /** Server-side apply (spec 4.9). The configuration gets its kind and name where it has none. */
  apply(
    name: string,
    configuration: ApplyConfiguration<T>,
    options: ApplyOptions,
    signal?: AbortSignal,
  ): Promise<Stored<T>>;
}

/** A subresource that has the shape of an object: `status`, `scale`, `approval`, `finalize`, `token`. */
export interface SubresourceClient<T extends ApiObject = ApiObject> {
  get(name: string, signal?: AbortSignal): Promise<Stored<T>>;
  update(object: T, options?: WriteOptions, signal?: AbortSignal): Promise<Stored<T>>;
  /** POST, for `token`, `eviction` and `binding`. */
  create(name: string, body: object, options?: WriteOptions, signal?: AbortSignal): Promise<T>;
  readonly patch: PatchClient<T>;
}

/** The objects of the subresources of built-in kinds, by their names. The others have the type of their resource. */
export interface Subresources<T extends ApiObject> {
  readonly status: T;
  readonly scale: autoscaling.Scale;
  readonly token: authentication.TokenRequest;
  readonly eviction: policy.Eviction;
  readonly binding: core.Binding;
}

/**
 * All verbs of one resource in one namespace (in all namespaces without `namespace`; writes then use the namespace of the
 * object). Results are plain objects from JSON.
 * Rejects with `ApiError` (machinery) for every Status of the server, with `TransportError` without a response, and with
 * the reason of the signal. Reads and writes with a 429, or a 503 with `Retry-After`, are retried a few times, because they
 * were not processed; other retries are up to the caller.
 */
export interface ResourceClient<T extends ApiObject = ApiObject> {
  readonly resource: TypedResource<T>;
  readonly namespace: string | undefined;
  in(namespace: string): ResourceClient<T>;
  get(
    name: string,
    options?: { readonly resourceVersion?: string },
    signal?: AbortSignal,
  ): Promise<Stored<T>>;
  list(options?: ListOptions, signal?: AbortSignal): Promise<List<Stored<T>>>;
  /** The pages of one consistent list; an expired continue token ends it with a 410. */
  pages(options?: ListOptions, signal?: AbortSignal): AsyncIterable<List<Stored<T>>>;
  /** One watch, until the server ends it, without resumption. */
  watch(options?: WatchOptions, signal?: AbortSignal): AsyncIterable<WatchEvent<Stored<T>>>;
  create(object: T, options?: WriteOptions, signal?: AbortSignal): Promise<Stored<T>>;
  update(object: T, options?: WriteOptions, signal?: AbortSignal): Promise<Stored<T>>;
  /** Resolves with the object while it is being deleted, or with the Status of its removal (`isStatus`). */
  delete(name: string, options?: DeleteOptions, signal?: AbortSignal): Promise<Stored<T> | Status>;
  deleteCollection(
    options?: DeleteOptions & ListOptions,
    signal?: AbortSignal,
  ): Promise<List<Stored<T>> | Status>;
  readonly patch: PatchClient<T>;
  /** A subresource of the built-in kinds, with its own type of objects. */
  subresource<N extends keyof Subresources<T>>(name: N): SubresourceClient<Subresources<T>[N]>;
  /** Any subresource; its objects have the type of the resource unless another one is given. */
  subresource<S extends ApiObject = T>(name: string): SubresourceClient<S>;
}
