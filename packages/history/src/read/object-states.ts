import type { KeyValue, Revision, Store } from '@orch/storage';
import { prefixRange } from '@orch/storage';
import { type ChangeValue, decodeChange } from '../record/change-value.ts';
import { changesByObject, type FoundChange } from './recorded-change.ts';

/** The places of an object and its changes in the store. */
export interface ObjectPlace {
  /** Key of the object in the store. */
  readonly storeKey: string;
  /** The common prefix of the keys of the changes of the resource. */
  readonly historyPrefix: string;
  /** Key of the object below the prefix of its resource. */
  readonly object: string;
}

/**
 * A state of an object: its stored bytes, that it did not exist, or why it is unknown. `unrecorded`: it was replaced by
 * a write that was not recorded, or its record was pruned.
 */
export type ObjectState =
  | { readonly kind: 'present'; readonly rev: Revision; readonly stored: Buffer }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'unknown';
      readonly why: UnknownState;
      /** Why the stored value of the current state cannot be decrypted. */
      readonly cause?: string;
    };

export type UnknownState = 'unrecorded' | 'unreadable' | 'tooLarge';

const absent: ObjectState = { kind: 'absent' };
const unrecorded: ObjectState = { kind: 'unknown', why: 'unrecorded' };

/** The answer of the store for the key of an object. */
type Found = Awaited<ReturnType<Store['get']>>;

/** The changes of one object, and the states before, between and after them. Values are read when they are needed. */
export class ObjectStates {
  readonly #store: Pick<Store, 'get'>;
  readonly #signal: AbortSignal;
  readonly live: KeyValue | undefined;
  /** The revision of the store when the live object was read. */
  readonly current: Revision;
  /** In the order of their writes. */
  readonly changes: readonly FoundChange[];
  #lastBefore: { readonly change: FoundChange; readonly state: ObjectState } | undefined;

  /** The live object must have been read before the changes: it is the state after the last one, unless that is later. */
  constructor(
    { store, signal }: { readonly store: Pick<Store, 'get'>; readonly signal: AbortSignal },
    { rev, kv }: Found,
    changes: readonly FoundChange[],
  ) {
    this.#store = store;
    this.#signal = signal;
    this.live = kv;
    this.current = rev;
    this.changes = changes;
  }

  static async read(
    store: Pick<Store, 'get' | 'scan'>,
    { storeKey, historyPrefix, object }: ObjectPlace,
    { from, signal }: { readonly from: Revision; readonly signal: AbortSignal },
  ): Promise<ObjectStates> {
    const live = await store.get(storeKey, signal);
    const range = prefixRange(`${historyPrefix}${object}/`);
    const parts = store.scan(range, { keysOnly: true }, signal);
    let changes: readonly FoundChange[] = [];
    for await (const found of changesByObject(parts, historyPrefix)) changes = found;
    return new ObjectStates(
      { store, signal },
      live,
      changes.filter(({ revision }) => revision > from),
    );
  }

  /** The replaced value of a change and its author; undefined when it was pruned meanwhile or cannot be read. */
  async valueOf({ key }: FoundChange): Promise<ChangeValue | undefined> {
    const { kv } = await this.#store.get(key, this.#signal);
    return kv === undefined || kv.unreadable !== undefined ? undefined : decodeChange(kv.value);
  }

  /** The state that a change replaced; repeated calls for the same change return the same object. */
  async before(change: FoundChange, value?: ChangeValue): Promise<ObjectState> {
    if (this.#lastBefore?.change === change) return this.#lastBefore.state;
    const state = await this.#stateOf(change, value);
    this.#lastBefore = { change, state };
    return state;
  }

  async #stateOf(change: FoundChange, value?: ChangeValue): Promise<ObjectState> {
    if (change.kind === 'created') return absent;
    const read = value ?? (await this.valueOf(change));
    if (read === undefined) return { kind: 'unknown', why: 'unreadable' };
    if (read.old === undefined) return { kind: 'unknown', why: read.leftOut || 'unreadable' };
    return { kind: 'present', rev: change.base, stored: read.old };
  }

  /** The state after a change, given by its index in `changes`. */
  after(index: number): Promise<ObjectState> | ObjectState {
    const change = this.changes[index];
    if (change === undefined) return unrecorded;
    if (change.kind === 'deleted') return absent;
    const next = this.changes[index + 1];
    if (next === undefined) return this.#liveAt(change.revision);
    return next.base === change.revision ? this.before(next) : unrecorded;
  }

  /** The state at a revision. */
  async at(revision: Revision): Promise<ObjectState> {
    return this.#stateBefore(
      this.changes.findIndex((change) => change.revision > revision),
      (rev) => rev <= revision,
    );
  }

  /** The state at a time, by the clocks of the servers that recorded the changes. */
  async atTime(timeMs: number): Promise<ObjectState> {
    const next = this.changes.findIndex((change) => change.timeMs > timeMs);
    const earlier = next < 0 ? this.changes.at(-1) : this.changes[next - 1];
    const isEarly = (rev: Revision): boolean => earlier === undefined || rev <= earlier.revision;
    return this.#stateBefore(next, isEarly);
  }

  /** The state before a change; without one, the current one. `isReached` decides whether its revision is early enough. */
  async #stateBefore(next: number, isReached: (rev: Revision) => boolean): Promise<ObjectState> {
    const change = this.changes[next];
    if (change !== undefined) {
      const state = await this.before(change);
      return state.kind === 'present' && !isReached(state.rev) ? unrecorded : state;
    }
    const { live } = this;
    if (live !== undefined) return isReached(live.modRevision) ? presentOf(live) : unrecorded;
    return this.changes.at(-1)?.kind === 'deleted' || this.changes.length === 0 ? absent : unrecorded;
  }

  #liveAt(revision: Revision): ObjectState {
    const { live } = this;
    return live?.modRevision === revision ? presentOf(live) : unrecorded;
  }
}

const presentOf = ({ modRevision, value, unreadable }: KeyValue): ObjectState =>
  unreadable === undefined
    ? { kind: 'present', rev: modRevision, stored: value }
    : { kind: 'unknown', why: 'unreadable', cause: unreadable };
