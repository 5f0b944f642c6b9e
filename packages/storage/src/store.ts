import type { KeyRange, WatchRange } from './keys.ts';

/** A position in the history of a store: a positive safe integer that grows with every commit. */
export type Revision = number;

/** A key and the commits that wrote it. */
interface WrittenKey {
  readonly key: string;
  /** Revision of the commit that created the key since it was last absent. */
  readonly createRevision: Revision;
  /** Revision of the commit that wrote this value. */
  readonly modRevision: Revision;
}

export interface ReadableKeyValue extends WrittenKey {
  readonly value: Buffer;
  readonly unreadable?: undefined;
}

export interface UnreadableKeyValue extends WrittenKey {
  readonly value?: undefined;
  /** The reason why the value cannot be read. */
  readonly unreadable: string;
  /** The value can be read later, when a service answers again. */
  readonly isTemporary: boolean;
}

/** A key with its value, or with the reason why a store that decodes values cannot read it. */
export type KeyValue = ReadableKeyValue | UnreadableKeyValue;

/** One page of a list, consistent at `rev`. */
export interface Page {
  /** Revision at which the page was read: the requested one, or the current one. */
  readonly rev: Revision;
  readonly items: readonly KeyValue[];
  /** More keys of the range follow the last item. */
  readonly more: boolean;
  /** Number of keys in the whole range at `rev`, these included. */
  readonly count: number;
}

/** A part of a scan. */
export interface ScanPart {
  /** The revision of the whole scan. */
  readonly rev: Revision;
  /** In key order, after those of the parts before. */
  readonly items: readonly KeyValue[];
  /** In a scan with `withTtl`: the whole seconds, at least 1, after which keys expire. Permanent keys are absent. */
  readonly ttls?: ReadonlyMap<string, number>;
}

export interface ScanOptions {
  /** The revision to read; the current one when absent. */
  readonly at?: Revision;
  /** Approximate size of a part in bytes. The store may choose other sizes, but close to it. */
  readonly byteBudget?: number;
  /** The caller needs keys and revisions only: the store may leave the values empty. */
  readonly keysOnly?: boolean;
  /** Reports when keys expire, at the time of the call. For scans of the current revision. */
  readonly withTtl?: boolean;
}

/** Precondition on a key, possibly another one: it exists and its mod revision is `revision`. */
export interface Guard {
  readonly key: string;
  readonly revision: Revision;
}

/** Maximum number of guards of one write that a store receives. */
export const MAX_GUARDS = 3;

/**
 * A write that takes effect only if the key is in the expected state: absent for `create`, last written by revision
 * `expected` otherwise. `ttlSeconds` counts from this write; a write without it makes the key permanent. With
 * `guards`, at most `MAX_GUARDS`, it takes effect only if the precondition of each holds at the same revision. The store may
 * keep `value` without copying it: the caller must not change its bytes.
 *
 * A write may have extensions, which are types beside this one: `SideWrites`, `RoomMaking` (`extensions/`). A store that
 * forwards a write passes on all members that it does not change.
 */
export type Write = (
  | { readonly op: 'create'; readonly key: string; readonly value: Buffer; readonly ttlSeconds?: number }
  | {
      readonly op: 'update';
      readonly key: string;
      readonly value: Buffer;
      readonly expected: Revision;
      readonly ttlSeconds?: number;
    }
  | { readonly op: 'delete'; readonly key: string; readonly expected: Revision }
) & { readonly guards?: readonly Guard[] };

/**
 * A conflict is a value: `current` is the current version of the key, absent when the key is. `prev` is the replaced
 * version; some stores do not report it: the caller knows that version by its revision. `guardFailed` means that the
 * key was as expected and a guard failed; there is no `current` then. When both fail, the conflict of the key is
 * reported.
 */
export type Committed =
  | { readonly ok: true; readonly rev: Revision; readonly prev?: KeyValue }
  | {
      readonly ok: false;
      readonly rev: Revision;
      readonly current?: KeyValue;
      readonly guardFailed?: true;
      /** The keys of all guards that held at `rev`, whichever precondition failed. Absent when the store does not report it. */
      readonly heldGuards?: readonly string[];
    };

export type KvEvent =
  | { readonly type: 'put'; readonly kv: KeyValue }
  | { readonly type: 'delete'; readonly key: string; readonly modRevision: Revision };

/**
 * All events of the watched range with revisions in `(previous batch's rev, rev]`, in revision order; the events of
 * one revision are never split over batches. A batch without events is progress: the events of the range are complete
 * up to `rev`.
 */
export interface WatchBatch {
  readonly rev: Revision;
  readonly events: readonly KvEvent[];
}

/**
 * - `compacted`: the requested revision is no longer in the store's history; `compactRevision` is where history
 *   starts.
 * - `futureRevision`: a list `at`, or a compaction through, a revision that the store has not reached.
 * - `unavailable`: the store could not be reached, or the deadline passed, and nothing was written.
 * - `outcomeUnknown`: a commit was sent and it could not be established whether it took effect.
 * - `full`: there is no space for the write, and nothing was written. Writes that make room are still accepted.
 * - `tooLarge`: the value, or the answer, exceeds a limit of the store.
 * - `corrupt`: the store returned an invalid response, or its data is damaged.
 * - `closed`: the store was closed.
 */
export type StoreErrorCode =
  | 'compacted'
  | 'futureRevision'
  | 'unavailable'
  | 'outcomeUnknown'
  | 'full'
  | 'tooLarge'
  | 'corrupt'
  | 'closed';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly compactRevision: Revision | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; compactRevision?: Revision } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.compactRevision = options.compactRevision;
  }
}

/**
 * The narrow contract between the control plane and its durable state. Values are opaque bytes.
 *
 * - Every commit that takes effect gets its own revision, one greater than the last one of the store or more.
 * - `commit` resolves only after the write is durable. It takes effect at most once. When its outcome is in doubt the store
 *   finds out, also when another writer has written the same bytes, and throws `outcomeUnknown` when it cannot, or when the
 *   signal aborts before it could.
 * - `get` and `currentRevision` are linearizable: they reflect every commit acknowledged before the call.
 * - `list` without `at` is linearizable; with `at` it reads exactly that revision, or throws `compacted` or
 *   `futureRevision`. Its pages respect `limit` and `byteBudget`, whichever is met first, but hold at least one item.
 * - `scan` reads a whole range, all of it at one revision: `at`, or a revision of the time of the call. It yields every
 *   key once and in order, in parts of bounded size, of which no more than a few are read ahead; an empty range yields one
 *   empty part. Its cost is linear in what is read, which pages of `list` do not promise: each of them counts the rest of
 *   its range. It fails as `list` does, with `compacted` also between two parts.
 * - `watch` yields everything after `after`, survives reconnects without loss or repetition, waits when `after` is in
 *   the future, and throws `compacted` when history is missing. It ends when the signal aborts.
 *   After any other error the caller may watch again from the last batch's revision.
 * - Keys with a ttl are deleted by the store, with an ordinary delete event, not before the ttl has passed.
 * - Every call rejects with the signal's reason when the signal aborts before the call was sent.
 * - After `close` every call and every watch fails with `closed`.
 */
export interface Store {
  get(key: string, signal: AbortSignal): Promise<{ readonly rev: Revision; readonly kv?: KeyValue }>;
  list(
    range: KeyRange,
    options: {
      readonly at?: Revision;
      readonly limit?: number;
      readonly byteBudget?: number;
      /** The caller needs keys and revisions only: the store may leave the values empty. */
      readonly keysOnly?: boolean;
    },
    signal: AbortSignal,
  ): Promise<Page>;
  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart>;
  commit(write: Write, signal: AbortSignal): Promise<Committed>;
  watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch>;
  currentRevision(signal: AbortSignal): Promise<Revision>;
  /**
   * Forgets history before `through`; reads and watches at or after it keep working. Going back is a no-op, a revision
   * that the store has not reached fails with `futureRevision`. Space may be freed later than the call resolves.
   */
  compact(through: Revision, signal: AbortSignal): Promise<void>;
  /** Bytes the store occupies, for metrics; `full`: the reason why it accepts only writes that free space. */
  size(signal: AbortSignal): Promise<{ readonly bytes: number; readonly full?: string }>;
  close(): Promise<void>;
}
