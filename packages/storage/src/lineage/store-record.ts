import { isJsonObject, parseJson } from '@orch/machinery/json';
import { makingRoom } from '../extensions/write-extensions.ts';
import { type KeyValue, type Revision, type Store, StoreError } from '../store.ts';
import { readable } from '../store-values.ts';
import { decodeMigration, type Migration } from './migration.ts';
import type { RevisionLineage } from './revision-map.ts';

const states = ['ready', 'restoring', 'filling', 'moving', 'moved'] as const;

/**
 * - `ready`: servers may use the store.
 * - `restoring`: a restore has begun and not ended; the content is incomplete.
 * - `filling`: a migration copies the content of another store, which servers use.
 * - `moving`: nothing may be written until a migration has ended: the state becomes `moved` or `ready`.
 * - `moved`: servers use another store.
 */
export type StoreState = (typeof states)[number];

/** Facts about the stores before and after this one. One key, outside of the keys of the registry. */
export interface StoreRecord extends RevisionLineage {
  readonly state: StoreState;
  /** Identifier of the backup that was restored last, or is being restored; empty without one. */
  readonly backupId: string;
  /** The migration to or from the store that is in progress, or was the last. */
  readonly migration: Migration | undefined;
}

/** The record of a store that has none. */
export const newStoreRecord: StoreRecord = Object.freeze({
  state: 'ready',
  revisionOffset: 0,
  carriedThrough: 0,
  carriedFrom: 0,
  backupId: '',
  migration: undefined,
});

export interface StoredRecord {
  readonly record: StoreRecord;
  /** Revision of the key in the store; undefined when it is absent. */
  readonly revision: Revision | undefined;
}

/** Format 2 has migrations: earlier versions of the program must not use such stores. */
const FORMATS = [1, 2];

/** The key of the record, for keys that begin with `prefix`: beside them, so that it is neither watched nor in a backup. */
export const storeRecordKey = (prefix: string): string => `${prefix.replace(/\/$/, '')}~store`;

/** Throws `corrupt` for a record that this program does not understand: it must not use such a store. */
export async function readStoreRecord(
  store: Pick<Store, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<StoredRecord> {
  const { kv } = await store.get(key, signal);
  return storedRecordOf(kv, key);
}

/** The record in a key as it was read. */
export const storedRecordOf = (kv: KeyValue | undefined, key: string): StoredRecord =>
  kv === undefined
    ? { record: newStoreRecord, revision: undefined }
    : { record: decodeStoreRecord(readable(kv).value, key), revision: kv.modRevision };

export interface RecordChange {
  readonly from: StoredRecord;
  readonly to: StoreRecord;
  readonly signal: AbortSignal;
}

/** Replaces the record as it was read; resolves with the stored record. Throws when another program has changed it. */
export async function writeStoreRecord(
  store: Pick<Store, 'commit'>,
  key: string,
  { from, to, signal }: RecordChange,
): Promise<StoredRecord> {
  const value = storedBytesOf(to);
  const committed = await store.commit(
    // A full store can still be moved to another one, and pauses end in it.
    makingRoom(
      from.revision === undefined
        ? { op: 'create', key, value }
        : { op: 'update', key, value, expected: from.revision },
    ),
    signal,
  );
  if (committed.ok) return { record: to, revision: committed.rev };
  throw new StoreError('unavailable', `another program has changed the record of the store (${key})`);
}

/** The value of the key. */
export function storedBytesOf(record: StoreRecord): Buffer {
  const { state, revisionOffset, backupId, carriedThrough, carriedFrom, migration } = record;
  const isEarlier = state === 'ready' || state === 'restoring';
  const hasCarried = carriedThrough > 0 || migration !== undefined || revisionOffset < 0;
  return Buffer.from(
    JSON.stringify(
      isEarlier && !hasCarried
        ? { format: 1, state, revisionOffset, backupId }
        : { format: 2, state, revisionOffset, backupId, carriedThrough, carriedFrom, migration },
    ),
  );
}

export const isSameRecord = (a: StoreRecord, b: StoreRecord): boolean =>
  storedBytesOf(a).equals(storedBytesOf(b));

/** Reports whether revisions and values of a store have the same meaning with both records. */
export const hasSameRevisions = (a: StoreRecord, b: StoreRecord): boolean =>
  a.revisionOffset === b.revisionOffset &&
  a.carriedThrough === b.carriedThrough &&
  a.carriedFrom === b.carriedFrom &&
  a.backupId === b.backupId;

/** Throws `corrupt` for a record in an unknown format. */
function decodeStoreRecord(value: Buffer, key: string): StoreRecord {
  const { format, state, backupId, ...rest } = parsed(value);
  const { revisionOffset, carriedThrough = 0, carriedFrom = 0 } = rest;
  const known = states.find((one) => one === state);
  const migration = decodeMigration(rest['migration']);
  if (
    FORMATS.some((one) => one === format) &&
    known !== undefined &&
    isRevision(revisionOffset, Number.MIN_SAFE_INTEGER) &&
    isRevision(carriedThrough, 0) &&
    isRevision(carriedFrom, 0) &&
    typeof backupId === 'string' &&
    migration !== 'invalid' &&
    (migration !== undefined || known === 'ready' || known === 'restoring')
  )
    return { state: known, revisionOffset, carriedThrough, carriedFrom, backupId, migration };
  throw new StoreError('corrupt', `the record of the store (${key}) is damaged, or of a later version`);
}

const isRevision = (value: unknown, min: number): value is Revision =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min;

function parsed(value: Buffer): Readonly<Record<string, unknown>> {
  try {
    const json = parseJson(value);
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
