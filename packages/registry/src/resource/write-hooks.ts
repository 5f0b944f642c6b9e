import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

/** A write that is about to be sent to the store. */
export interface HookedWrite {
  /** What is to be stored: valid, and the hook's to change. Undefined when the object is to be removed. */
  readonly next: ApiObject | undefined;
  /** What is stored, read only; undefined when the object is new. */
  readonly old: ApiObject | undefined;
  /** Whose write it is. */
  readonly user: UserInfo;
  /** Nothing is to be written anywhere, by the hook neither; `next` is to look as if it had been. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * What was done for a write, to be settled when its outcome is known: exactly one of the two is called, once, or none
 * when the outcome stays unknown. Neither throws: what could not be done is the hook's to log and to repair.
 */
export interface PendingWrite {
  /** The store has the write. */
  committed(): Promise<void>;
  /** The store does not have it and will not. */
  abandoned(): Promise<void>;
}

/**
 * Work of a kind outside of its own object, around the commit of every write: allocations. Kinds without hooks pay
 * nothing for them. `begin` is called anew for every attempt that is made on another state of the object; it throws
 * `ApiError` to refuse the write, having undone what it did. Undefined when there is nothing to settle.
 */
export interface WriteHooks {
  begin(write: HookedWrite): Promise<PendingWrite | undefined>;
}
