import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

/** A write that is about to be sent to the store. */
export interface HookedWrite {
  /** The valid object to be stored, which the hook may change; undefined when the object is removed. */
  readonly next: ApiObject | undefined;
  /** The stored object, read only; undefined when the object is new. */
  readonly old: ApiObject | undefined;
  readonly user: UserInfo;
  /** The hook must not persist anything; `next` must look as if it had. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Side effects of a write that has begun. */
export interface PendingWrite {
  /**
   * Called at most once: with true after the write was committed, with false when it certainly was not. Not called when
   * the outcome is unknown. Never throws: the hook logs and repairs what it could not complete.
   */
  finish(success: boolean): Promise<void>;
}

/** Side effects of a kind around the commit of each write, such as allocations. */
export interface WriteHooks {
  /** The hook may refuse a write, but changes no object. */
  readonly onlyRefuses?: boolean;
  /**
   * Called again for each attempt on another state of the object. Throws `ApiError` to refuse the write, after undoing its
   * own side effects. Undefined when there is nothing to finish.
   */
  begin(write: HookedWrite): Promise<PendingWrite | undefined>;
}
