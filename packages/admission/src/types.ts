import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Where a write goes and whose it is: what is known before anything is read. */
export interface WriteTarget {
  readonly operation: Operation;
  /** Key of the group in the table of names: `''`, `coordination`. */
  readonly group: string;
  readonly resource: string;
  /** Through which part of the object it is written; `''` for the object itself. */
  readonly subresource: string;
  readonly user: UserInfo;
}

/** A write that was allowed, and is valid. Objects are in the hub version of their kind, and read only. */
export interface AdmittedWrite extends WriteTarget {
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  /** As it will be stored; undefined when it is to be deleted, even where that takes time. */
  readonly object: ApiObject | undefined;
  /** As it is stored; undefined when it is new. */
  readonly oldObject: ApiObject | undefined;
  readonly signal: AbortSignal;
}

/** Why a write is not to be: ends a sentence that begins with what it was about. */
export type Refusal = string;

/**
 * A rule about what users write, beyond what they may do and what is valid (access-control document, 5.14). Plugins see
 * a write when it is as it will be stored, and change nothing. One that is tried again because others changed the object
 * is shown again.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the rule says anything of such writes. One that no plugin is concerned with costs nothing. */
  concerns(target: WriteTarget): boolean;
  /** Undefined when nothing is to be said against it. Throws `ApiError` when it cannot be found out. */
  refuses(write: AdmittedWrite): Refusal | undefined | Promise<Refusal | undefined>;
}
