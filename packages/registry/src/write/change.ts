import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import type { Trace } from '@orch/request';
import type { Revision } from '@orch/storage';
import type { Encoded } from '../convert/storage-codec.ts';
import type { OptionsObject } from '../request/write-options.ts';
import type { AdmissionOperation } from './admission.ts';

/** The state of an object from which a change starts. */
export interface Current {
  readonly rev: Revision;
  /** JSON in the hub version, resourceVersion included. */
  readonly json: Buffer;
  /** In the hub version, with `metadata.resourceVersion`. Parsed for this attempt: it may be changed. */
  readonly object: ApiObject;
  /** Whether admission may change the proposed object: then a request that changes nothing proposes one too. */
  readonly mutates: boolean;
  /** The stored bytes could not be read: the object has only its name, and can only be removed. */
  readonly isPlaceholder: boolean;
  /** Each stage of the work on it waits for a turn. */
  readonly isLarge: boolean;
}

/**
 * The decision about an object. `hub` is the JSON of a removed object, without resourceVersion. A kept object is written
 * nevertheless, as `encoded`, when its bytes are in an outdated storage version.
 */
export type Change =
  | { readonly kind: 'write'; readonly encoded: Encoded }
  | { readonly kind: 'remove'; readonly hub: Buffer }
  | { readonly kind: 'keep'; readonly encoded?: Encoded };

/** An object that is completed, validated and written after admission could change it. */
export interface Proposal {
  readonly kind: 'propose';
  /** In the hub version. */
  readonly next: ApiObject;
  /** Decides on `next`, or on the object after admission. Throws `ApiError`. */
  complete(next: ApiObject): Change | Promise<Change>;
}

export type Decision = Change | Proposal;

/** A decision that changes the store. */
export type Act = Exclude<Change, { readonly kind: 'keep' }>;

/** The result of a change. `json` is in the hub version, resourceVersion included. */
export interface Changed {
  readonly outcome: 'written' | 'removed' | 'kept';
  readonly rev: Revision;
  readonly json: Buffer;
}

export interface ChangeRequest {
  /** Below the prefix of the resource. */
  readonly key: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly admittedAs: AdmissionOperation;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The user of the request; absent for changes by the server itself. */
  readonly trace?: Trace | undefined;
  /** The options of the request, for admission plugins. */
  readonly requestOptions?: OptionsObject | undefined;
  /** Also removes an object whose stored bytes cannot be read, given as a placeholder with its name. */
  readonly evenUnreadable?: boolean;
  /** Bytes of the body of a request that has one. */
  readonly size?: number;
  /**
   * Decides on one state of the object; a promise where validation takes long. Throws `ApiError`; called again for each
   * newer state.
   */
  decide(current: Current): Decision | Promise<Decision>;
}

/** A state of an object that a change may start from. */
export interface Candidate {
  readonly rev: Revision;
  readonly json: Buffer;
  /** Read from the store, not from the cache. */
  readonly fromStore: boolean;
  /** Stored in another version or encoding than objects are written in. */
  readonly needsMigration: boolean;
  /** The stored bytes could not be read: the JSON has only the name. */
  readonly isPlaceholder?: boolean;
}
