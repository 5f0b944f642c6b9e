import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { StoreError } from '../store.ts';

/** A row in the order of the selected columns. */
export type Row = readonly unknown[];

/** A prepared statement whose rows are arrays, which costs half of what objects cost. */
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
  // The declared types know rows as objects only; `setReturnArrays` is what makes them arrays.
  return statement as unknown as Query;
}

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_BYTES = 4096;

/** Opens a connection to the log; `cacheBytes` is the memory it may use for pages. */
export function openConnection(path: string, cacheBytes: number): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${Math.ceil(cacheBytes / 1024)};
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
    `);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
const PRIMARY_CODE = 0xff;

/** SQLite's primary result code, or 0 for an error that is not SQLite's. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0;
  return error.errcode & PRIMARY_CODE;
}

/** What a failed read or a rolled back write means to the caller; errors that are not SQLite's stay as they are. */
export function storeErrorOf(error: unknown, doing: string): unknown {
  if (error instanceof StoreError) return error;
  const code = resultCode(error);
  if (code === 0) return error;
  const why = error instanceof Error ? error.message : String(error);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new StoreError('corrupt', `the embedded store is damaged (${doing}): ${why}`, { cause: error });
  }
  const text = code === SQLITE_FULL ? 'the embedded store or its disk is full' : 'the embedded store failed';
  return new StoreError('unavailable', `${text} (${doing}): ${why}`, { cause: error });
}
