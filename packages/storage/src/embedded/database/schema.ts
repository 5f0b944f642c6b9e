import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { query } from './sqlite.ts';

/** "orch" in ASCII: distinguishes our files from other SQLite databases. */
export const APPLICATION_ID = 0x6f726368;
export const SCHEMA_VERSION = 2;

/** Format of versions that had only the database and its log. */
const UNCHECKED_VERSION = 1;

/**
 * - `log`: every version of every key that is in history, by revision. A deletion has a NULL value. `prev_rev` is the
 *   version that this one replaced or deleted, 0 for a creation: it determines what a past revision held, and which
 *   rows compaction may delete. Rows are only appended at the end.
 * - `live`: the current version of each present key. `expires` is in epoch milliseconds.
 * - `identity`: one row with the identity that the other files of the directory refer to. `generation` is incremented
 *   to make a commit without other changes.
 * - `state`: one row. History before `compacted` is compacted; the rows that are obsolete because of it are deleted up
 *   to `swept`.
 */
const SCHEMA = `
  CREATE TABLE log (
    rev INTEGER PRIMARY KEY,
    prev_rev INTEGER NOT NULL,
    create_rev INTEGER NOT NULL,
    key TEXT NOT NULL,
    value BLOB
  ) STRICT;
  CREATE TABLE live (
    key TEXT PRIMARY KEY,
    rev INTEGER NOT NULL,
    create_rev INTEGER NOT NULL,
    expires INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX live_expires ON live (expires) WHERE expires IS NOT NULL;
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    compacted INTEGER NOT NULL,
    swept INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (1, 0, 0);
`;
const IDENTITY = 'CREATE TABLE identity (id TEXT NOT NULL, generation INTEGER NOT NULL) STRICT';

/** `unchecked` is a store of an earlier version, `empty` a database without tables. */
export type DatabaseKind = 'empty' | 'unchecked' | 'current';

/** Determines the kind of a database; throws for another program's or a later version's. */
export function databaseKind(db: DatabaseSync, path: string): DatabaseKind {
  const applicationId = query(db, 'PRAGMA application_id').get()?.[0];
  const version = query(db, 'PRAGMA user_version').get()?.[0];
  const tables = query(db, 'SELECT count(*) FROM sqlite_schema').get()?.[0];
  if (applicationId === APPLICATION_ID) {
    if (version === SCHEMA_VERSION) return 'current';
    if (version === UNCHECKED_VERSION) return 'unchecked';
    throw new StoreError(
      'corrupt',
      `${path} has format ${version}; this program reads formats ${UNCHECKED_VERSION} and ${SCHEMA_VERSION}`,
    );
  }
  if (tables === 0) return 'empty';
  throw new StoreError('corrupt', `${path} is a SQLite database of another program`);
}

/** Migrates a database to the current schema; `id` is the identity of the store. */
export function prepareSchema(db: DatabaseSync, path: string, id: string): void {
  const kind = databaseKind(db, path);
  if (kind === 'current') return;
  db.exec(`BEGIN IMMEDIATE; ${kind === 'empty' ? SCHEMA : ''} ${IDENTITY};
    INSERT INTO identity VALUES ('${id}', 0);
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}
