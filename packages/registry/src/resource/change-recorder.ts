import type { Trace, UserInfo } from '@orch/request';
import type { Revision, SideWrite, SideWrites } from '@orch/storage';
import type { StoredResource } from './served-resource.ts';

/** A state of an object that a write replaces or removes. */
export interface ReplacedState {
  readonly rev: Revision;
  /** As the cache has it, resourceVersion included. */
  readonly json: Buffer;
  /** The stored bytes could not be read: `json` has only the name. */
  readonly isPlaceholder?: boolean;
}

/** A write of an object that is about to be committed. */
export interface RecordedChange {
  readonly resource: StoredResource;
  /** Below the prefix of the resource. */
  readonly key: string;
  /** Undefined for a creation. */
  readonly old: ReplacedState | undefined;
  /** Undefined for a removal. */
  readonly next: { readonly uid: string; readonly bytes: number } | undefined;
  readonly user: UserInfo;
  /** Of the request; absent for writes that the server makes itself. */
  readonly trace: Trace | undefined;
}

/** Records the writes of objects, each in the transaction of its commit. */
export interface ChangeRecorder {
  /** The further keys of the commit; undefined where changes are not recorded. */
  sidesOf(change: RecordedChange): readonly SideWrite[] | undefined;
}

/** The part of a write that records it; empty without a recorder. */
export function recorded(recorder: ChangeRecorder | undefined, change: RecordedChange): SideWrites {
  const also = recorder?.sidesOf(change);
  return also === undefined ? notRecorded : { also };
}

export const notRecorded: SideWrites = Object.freeze({});
