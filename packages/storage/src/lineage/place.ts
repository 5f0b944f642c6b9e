import { type KeyRange, keyAfter } from '../keys.ts';
import { type Revision, type Store, StoreError } from '../store.ts';
import { AutoResetEvent } from '../watch-loop.ts';
import { unusable, withLineage } from './current-store.ts';
import type { Migration } from './migration.ts';
import { RecordGuardedStore } from './record-guarded-store.ts';
import { RevisionMap } from './revision-map.ts';
import {
  hasSameRevisions,
  type StoredRecord,
  type StoreRecord,
  storedBytesOf,
  storeRecordKey,
} from './store-record.ts';

/** An open store, with its own revisions. */
export interface Backend {
  readonly store: Store;
  /** Other processes may use it: each write and each consistent read then checks whether it was moved. */
  readonly isShared: boolean;
  /** For messages and records. */
  readonly name: string;
}

/** The store that a server uses, or has used before it was moved. */
export class Place {
  readonly backend: Backend;
  readonly key: string;
  /** With the revisions that clients see. */
  readonly view: Store;
  /** Set when the record may have changed. */
  readonly changed = new AutoResetEvent();
  readonly #revisions: RevisionMap;
  readonly #guarded: RecordGuardedStore | undefined;
  readonly #left = new AbortController();
  #known: StoredRecord;
  #next: { readonly place: Place; readonly migration: Migration } | undefined;

  /** Whether the record of a shared store exists; false when the store accepted no writes when it was opened. */
  constructor(backend: Backend, prefix: string, found: StoredRecord) {
    this.backend = backend;
    const key = storeRecordKey(prefix);
    this.key = key;
    this.#known = found;
    this.#revisions = new RevisionMap(found.record, prefix);
    if (backend.isShared)
      this.#guarded = new RecordGuardedStore(backend.store, { key, revision: guardOf(found) });
    this.view = withLineage(this.#guarded ?? backend.store, found.record, prefix);
  }

  /** The record as last read while the content was here: `ready` or `moving`. */
  get known(): StoredRecord {
    return this.#known;
  }

  /** The revision of the record, the precondition of writes. */
  get guard(): Revision | undefined {
    return this.#guarded?.revision;
  }

  get recordRange(): KeyRange {
    return { start: this.key, end: keyAfter(this.key) };
  }

  /** The next place of the content, and the revisions of the move; undefined while it is here. */
  get next(): { readonly place: Place; readonly migration: Migration } | undefined {
    return this.#next;
  }

  /** Aborts when there is a next place. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  outer(rev: Revision): Revision {
    return this.#revisions.outer(rev);
  }

  /** Reports whether the record is the known one, with which the content is here. */
  isKnown(revision: Revision | undefined): boolean {
    return revision === this.#known.revision && isHere(this.#known);
  }

  /**
   * The reason why a server that uses the place cannot continue with its record as found: the record was deleted, or
   * the content was replaced by another one, whose revisions and values have another meaning. Undefined when it can.
   */
  failureOf(found: StoredRecord): StoreError | undefined {
    const { name } = this.backend;
    if (found.revision === undefined)
      return this.#known.revision === undefined ? undefined : deletedRecord(this.key, this.#known.record);
    const { state } = found.record;
    if (state !== 'restoring' && state !== 'filling' && hasSameRevisions(found.record, this.#known.record))
      return undefined;
    const cause = isHere(found) ? undefined : unusable(found.record);
    const reason = cause === undefined ? '' : ` (${cause.message})`;
    return new StoreError(
      'unavailable',
      `the content of ${name} was moved or replaced while this server did not follow: restart the server${reason}`,
      { cause },
    );
  }

  /**
   * The record was read in another version, `ready` or `moving`. It is the precondition of writes when it is `ready`.
   */
  found(record: StoredRecord): void {
    this.#known = record;
    if (this.#guarded !== undefined) this.#guarded.revision = guardOf(record);
  }

  leave(place: Place, migration: Migration): void {
    this.#next = { place, migration };
    this.#left.abort();
  }
}

export const isHere = ({ record: { state } }: StoredRecord): boolean =>
  state === 'ready' || state === 'moving';

const deletedRecord = (key: string, known: StoreRecord): StoreError =>
  new StoreError(
    'unavailable',
    `the record of the store (key ${key}) was deleted while servers used it: stop all servers and restore a backup; or, when no other key was deleted, write the key again with the value ${storedBytesOf({ ...known, state: 'ready' })}`,
  );

/** Once a record exists, the precondition that there is none fails. */
const guardOf = ({ record, revision = 0 }: StoredRecord): Revision =>
  record.state === 'ready' ? revision : 0;
