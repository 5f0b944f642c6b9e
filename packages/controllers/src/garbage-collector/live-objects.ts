import type { DeleteOptions, Resource } from '@orch/client';
import type { ObjectMeta, OwnerReference } from '@orch/machinery';

/** One version of one object: writes apply to this version only. */
export interface Target {
  readonly resource: Resource;
  readonly meta: ObjectMeta;
}

/** The fields of metadata that the collector replaces. */
export interface MetaChange {
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** A write that was not applied: the object no longer exists, or has another version. */
export type Rejection = 'gone' | 'changed';

/**
 * The current objects of the server. Methods reject with the reason of the signal when it aborts, and with the errors of
 * the client; writes are applied at most once.
 */
export interface LiveObjects {
  /** The resource of a kind; undefined when none is served. */
  resourceOf(apiVersion: string, kind: string, signal: AbortSignal): Promise<Resource | undefined>;
  /** The current metadata; undefined when the object does not exist. */
  get(resource: Resource, at: ObjectMeta, signal: AbortSignal): Promise<ObjectMeta | undefined>;
  delete(
    target: Target,
    policy: NonNullable<DeleteOptions['propagationPolicy']>,
    signal: AbortSignal,
  ): Promise<'deleted' | Rejection>;
  /** Resolves with the new metadata, also when the change has completed the deletion of the object. */
  change(target: Target, change: MetaChange, signal: AbortSignal): Promise<ObjectMeta | Rejection>;
}
