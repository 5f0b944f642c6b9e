import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '../../store.ts';
import { databaseKind } from '../database/schema.ts';
import { openReadConnection, query, type Row } from '../database/sqlite.ts';

/** A key with its value and revisions. */
export interface Entry {
  readonly key: string;
  readonly rev: Revision;
  readonly createRev: Revision;
  /** In epoch milliseconds. */
  readonly expires: number | null;
  readonly value: Uint8Array;
}

/** The readable content of one copy of a database. */
export interface Readable {
  readonly entries: Map<string, Entry>;
  /** Keys whose values cannot be read. */
  readonly lost: Set<string>;
  /** A part of the table of keys cannot be read. */
  maybeMore: boolean;
  rev: Revision;
}

const CACHE_BYTES = 16 * 1024 * 1024;
const STEP_REVISIONS = 256;

/** Undefined when the database cannot be read at all. */
export function readCopy(path: string): Readable | undefined {
  const db = attempt(() => openReadConnection(path, CACHE_BYTES));
  if (db === undefined) return undefined;
  try {
    databaseKind(db, path);
    const readable: Readable = {
      entries: new Map(),
      lost: new Set(),
      maybeMore: false,
      rev: lastRevision(db),
    };
    readKeys(db, readable);
    if (readable.maybeMore) readHistory(db, readable);
    return readable;
  } catch {
    return undefined;
  } finally {
    db.close();
  }
}

function lastRevision(db: DatabaseSync): Revision {
  const number = (sql: string) => Number(attempt(() => query(db, sql).get()?.[0]) ?? 0);
  return Math.max(
    1,
    number('SELECT max(rev) FROM log'),
    number('SELECT compacted FROM state'),
    number('SELECT max(rev) FROM live'),
  );
}

/** Reads the table of keys from both ends, up to what cannot be read. */
function readKeys(db: DatabaseSync, readable: Readable): void {
  const value = query(db, 'SELECT key, value FROM log WHERE rev = ?');
  const take = ([key, rev, createRev, expires]: Row) => {
    const name = String(key);
    const found = attempt(() => value.get(Number(rev)));
    if (found?.[0] !== name || !(found[1] instanceof Uint8Array)) readable.lost.add(name);
    else readable.entries.set(name, entryOf([name, rev, createRev, expires, found[1]]));
  };
  for (const order of ['ASC', 'DESC']) {
    try {
      const rows = query(db, `SELECT key, rev, create_rev, expires FROM live ORDER BY key ${order}`);
      for (const row of rows.iterate()) take(row);
      return;
    } catch {
      readable.maybeMore = true;
    }
  }
}

/** Finds keys that are missing in the table of keys: the last version of a key in the log is its value. */
function readHistory(db: DatabaseSync, readable: Readable): void {
  const columns = 'key, rev, create_rev, NULL, value';
  const some = query(db, `SELECT ${columns} FROM log WHERE rev >= ? AND rev < ? ORDER BY rev`);
  const one = query(db, `SELECT ${columns} FROM log WHERE rev = ?`);
  const newest = new Map<string, Row>();
  const first = Number(attempt(() => query(db, 'SELECT min(rev) FROM log').get()?.[0]) ?? 1);
  for (let from = first; from <= readable.rev; from += STEP_REVISIONS) {
    const rows = attempt(() => some.all(from, from + STEP_REVISIONS));
    const each = () =>
      Array.from({ length: STEP_REVISIONS }, (_, i) => attempt(() => one.get(from + i))).filter(
        (row) => row !== undefined,
      );
    for (const row of rows ?? each()) newest.set(String(row[0]), row);
  }
  for (const [key, row] of newest) {
    if (readable.entries.has(key) || readable.lost.has(key)) continue;
    if (row[4] instanceof Uint8Array) readable.entries.set(key, entryOf(row));
  }
}

function entryOf([key, rev, createRev, expires, value]: Row): Entry {
  return {
    key: String(key),
    rev: Number(rev),
    createRev: Number(createRev),
    expires: typeof expires === 'number' ? expires : null,
    value: value as Uint8Array,
  };
}

/** Undefined when SQLite cannot read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
