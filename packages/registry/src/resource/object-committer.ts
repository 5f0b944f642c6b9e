import type { Trace, UserInfo } from '@orch/request';
import type { Committed, Revision, Write } from '@orch/storage';
import type { Encoded } from '../convert/storage-codec.ts';
import type { StoredResource } from './served-resource.ts';
import type { PendingWrite } from './write-hooks.ts';

/** A state of an object that a write replaces or removes. */
export interface ReplacedState {
  readonly rev: Revision;
  /** As cached, including the resourceVersion. */
  readonly json: Buffer;
  /** The stored bytes could not be read: `json` has only the name. */
  readonly isPlaceholder?: boolean;
}

/** A write of one object that is ready for the store. */
export interface ObjectWrite {
  readonly resource: StoredResource;
  /** Key below the prefix of the resource. */
  readonly key: string;
  readonly name: string;
  /** The revision of the object that it replaces or removes; undefined for a creation. */
  readonly expected: Revision | undefined;
  /** The state at that revision; undefined for a creation, and where the caller does not know it. */
  readonly old: ReplacedState | undefined;
  /** Undefined for a removal. */
  readonly next: Encoded | undefined;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** The user of the request; absent for writes by the server itself. */
  readonly trace: Trace | undefined;
  /** The write is one of admission, which adds the usage of writes to a quota, or returns it. */
  readonly isCharge?: boolean;
  /** The side effects that admission and the hooks of the kind hold until the write has an outcome. */
  readonly pending: PendingWrite | undefined;
}

/** Writes objects to the store. Decorators add to `write`, or act before and after it. */
export interface ObjectCommitter {
  commit(object: ObjectWrite, write: Write): Promise<Committed>;
}
