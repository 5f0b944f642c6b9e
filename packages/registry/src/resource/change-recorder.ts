import type { Trace, UserInfo } from '@orch/request';
import type { SideWrite } from '@orch/storage';
import type { ReplacedState } from './object-committer.ts';
import type { StoredResource } from './served-resource.ts';

/** A write of an object that is about to be committed. */
export interface RecordedChange {
  readonly resource: StoredResource;
  /** Key below the prefix of the resource. */
  readonly key: string;
  /** Undefined for a creation. */
  readonly old: ReplacedState | undefined;
  /** Undefined for a removal. */
  readonly next: { readonly uid: string; readonly bytes: number } | undefined;
  readonly user: UserInfo;
  /** The user of the request; absent for writes by the server itself. */
  readonly trace: Trace | undefined;
}

/** Records the writes of objects, each in the transaction of its commit. */
export interface ChangeRecorder {
  /** The further keys of the commit; undefined where changes are not recorded. */
  sidesOf(change: RecordedChange): readonly SideWrite[] | undefined;
}
