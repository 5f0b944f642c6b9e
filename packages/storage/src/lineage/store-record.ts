import { isJsonObject, parseJson } from '@orch/machinery';
import { type Revision, type Store, StoreError } from '../store.ts';

/**
 * - `ready`: servers may use the store.
 * - `restoring`: a restore has begun and not ended; the content is incomplete.
 */
export type StoreState = 'ready' | 'restoring';

/** What a store knows about the stores before it. One key, outside of the keys of the registry. */
export interface StoreRecord {
  readonly state: StoreState;
  /** Added to every revision of the store (`OffsetStore`). Never decreases. */
  readonly revisionOffset: Revision;
  /** Identifier of the backup that was restored last, or is being restored; empty without one. */
  readonly backupId: string;
}

/** The record of a store that has none. */
export const newStoreRecord: StoreRecord = Object.freeze({ state: 'ready', revisionOffset: 0, backupId: '' });

export interface StoredRecord {
  readonly record: StoreRecord;
  /** Revision of the key in the store; undefined when it is absent. */
  readonly revision: Revision | undefined;
}

const FORMAT = 1;

/** The key of the record, for keys that begin with `prefix`: beside them, so that it is neither watched nor in a backup. */
export const storeRecordKey = (prefix: string): string => `${prefix.replace(/\/$/, '')}~store`;

/** Throws `corrupt` for a record that this program does not understand: it must not use such a store. */
export async function readStoreRecord(
  store: Pick<Store, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<StoredRecord> {
  const { kv } = await store.get(key, signal);
  if (kv === undefined) return { record: newStoreRecord, revision: undefined };
  return { record: decodeRecord(kv.value, key), revision: kv.modRevision };
}

/** Replaces the record as it was read; resolves with what is stored then. Throws when another program has changed it. */
export async function writeStoreRecord(
  store: Pick<Store, 'commit'>,
  key: string,
  {
    from,
    to,
    signal,
  }: { readonly from: StoredRecord; readonly to: StoreRecord; readonly signal: AbortSignal },
): Promise<StoredRecord> {
  const value = Buffer.from(JSON.stringify({ format: FORMAT, ...to }));
  const committed = await store.commit(
    from.revision === undefined
      ? { op: 'create', key, value }
      : { op: 'update', key, value, expected: from.revision },
    signal,
  );
  if (committed.ok) return { record: to, revision: committed.rev };
  throw new StoreError('unavailable', `another program has changed the record of the store (${key})`);
}

function decodeRecord(value: Buffer, key: string): StoreRecord {
  const record = parsed(value);
  const { format, state, revisionOffset, backupId } = record;
  const isKnown =
    format === FORMAT &&
    (state === 'ready' || state === 'restoring') &&
    typeof revisionOffset === 'number' &&
    Number.isSafeInteger(revisionOffset) &&
    revisionOffset >= 0 &&
    typeof backupId === 'string';
  if (isKnown) return { state, revisionOffset, backupId };
  throw new StoreError('corrupt', `the record of the store (${key}) is damaged, or of a later version`);
}

function parsed(value: Buffer): Readonly<Record<string, unknown>> {
  try {
    const json = parseJson(value);
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
