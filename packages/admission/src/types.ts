import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Operation, resource and user of a write: what is known before any object is read. */
export interface WriteTarget {
  readonly operation: Operation;
  /** Key of the group in the table of names: `''`, `coordination`. */
  readonly group: string;
  readonly resource: string;
  /** Subresource that is written; `''` for the object itself. */
  readonly subresource: string;
  readonly user: UserInfo;
}

/** An authorized and valid write, as plugins receive it. Objects are in the hub version of their kind, and read only. */
export interface AdmissionAttributes extends WriteTarget {
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  /** As it will be stored; undefined for a deletion, also for one that waits for finalizers. */
  readonly object: ApiObject | undefined;
  /** As it is stored; undefined when it is new. */
  readonly oldObject: ApiObject | undefined;
  readonly signal: AbortSignal;
}

/** Reason of a refusal: the second half of a sentence that starts with the object of the write. */
export type Refusal = string;

/**
 * A rule for writes in addition to authorization and validation (access-control document, 5.14). Plugins receive the
 * object as it will be stored and do not change it. A write that is retried after a conflict is validated again.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the rule applies to such writes. Objects of writes that no plugin handles need not be decoded. */
  handles(target: WriteTarget): boolean;
  /** Undefined when the write is admitted. Throws `ApiError` when that cannot be determined. */
  validate(write: AdmissionAttributes): Refusal | undefined | Promise<Refusal | undefined>;
}
