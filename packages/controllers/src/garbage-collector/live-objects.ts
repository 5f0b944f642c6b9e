import type { DeleteOptions, Resource } from '@orch/client';
import type { ObjectMeta, OwnerReference } from '@orch/machinery';

/** One state of one object: what is written to it counts only for this state. */
export interface Target {
  readonly resource: Resource;
  readonly meta: ObjectMeta;
}

/** Members of metadata that the collector changes, whole. */
export interface MetaChange {
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** There is no such object any more, or it is in another state now; nothing was done. */
export type Refusal = 'gone' | 'changed';

/**
 * The objects as the server has them now. Everything rejects with the signal's reason when that aborts, and with what
 * the client rejects with; carried out at most once.
 */
export interface LiveObjects {
  /** The resource of a kind; undefined when none is served. */
  resourceOf(apiVersion: string, kind: string, signal: AbortSignal): Promise<Resource | undefined>;
  /** The most recent state; undefined when there is no such object. */
  get(resource: Resource, at: ObjectMeta, signal: AbortSignal): Promise<ObjectMeta | undefined>;
  delete(
    target: Target,
    policy: NonNullable<DeleteOptions['propagationPolicy']>,
    signal: AbortSignal,
  ): Promise<'deleted' | Refusal>;
  /** Answers the new state, also of an object that went with the change. */
  change(target: Target, change: MetaChange, signal: AbortSignal): Promise<ObjectMeta | Refusal>;
}
