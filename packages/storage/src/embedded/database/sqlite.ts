import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { messageOf } from '@orch/machinery/error-message';
import { StoreError } from '../../store.ts';

/** A row in the order of the selected columns. */
export type Row = readonly unknown[];

/** A prepared statement whose rows are arrays, at half of the cost of objects. */
export interface Query {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
  /** Leave the loop only by `break`, `return` or `throw`: an abandoned iterator keeps its read transaction open. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row>;
  run(...parameters: SQLInputValue[]): unknown;
}

export function query(db: DatabaseSync, sql: string): Query {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  // The declared types have rows as objects only; `setReturnArrays` makes them arrays.
  return statement as unknown as Query;
}

const BUSY_TIMEOUT_MS = 5_000;
export const PAGE_BYTES = 4096;

/**
 * Opens a connection that writes; `cacheBytes` is the memory it may use for pages. SQLite checkpoints the write-ahead
 * log by itself only when the last connection that can write closes.
 */
export function openConnection(path: string, cacheBytes: number): DatabaseSync {
  return configured(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }), cacheBytes, [
    `page_size = ${PAGE_BYTES}`,
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 0',
  ]);
}

/** Opens a read-only connection; it never checkpoints the write-ahead log. */
export function openReadConnection(path: string, cacheBytes: number): DatabaseSync {
  return configured(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true }), cacheBytes, []);
}

function configured(db: DatabaseSync, cacheBytes: number, settings: readonly string[]): DatabaseSync {
  const all = [
    ...settings,
    `cache_size = -${Math.ceil(cacheBytes / 1024)}`,
    'temp_store = MEMORY',
    'trusted_schema = OFF',
  ];
  try {
    for (const setting of all) db.exec(`PRAGMA ${setting}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
const PRIMARY_CODE = 0xff;

export const FULL_MESSAGE =
  'the disk of the embedded store is full, or the store has reached its size limit: only deletions are accepted until space is freed';

/** SQLite's primary result code, or 0 for an error that is not SQLite's. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0;
  return error.errcode & PRIMARY_CODE;
}

/**
 * Converts an SQLite error of a read or of a rolled back write to a StoreError; other errors are returned unchanged.
 */
export function storeErrorOf(error: unknown, doing: string): unknown {
  if (error instanceof StoreError) return error;
  const code = resultCode(error);
  if (code === 0) return error;
  const why = messageOf(error);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new StoreError('corrupt', `the embedded store is damaged (${doing}): ${why}`, { cause: error });
  }
  if (code === SQLITE_FULL)
    return new StoreError('full', `${FULL_MESSAGE} (${doing}: ${why})`, { cause: error });
  return new StoreError('unavailable', `the embedded store failed (${doing}): ${why}`, { cause: error });
}
