import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { query } from './sqlite.ts';

/** "orch" in ASCII: tells our files from other SQLite databases. */
export const APPLICATION_ID = 0x6f726368;
export const SCHEMA_VERSION = 2;

/** Of the versions that had nothing beside the database and its log. */
const UNCHECKED_VERSION = 1;

/**
 * - `log`: every version of every key that history still holds, by revision. A deletion has a NULL value.
 *   `prev_rev` is the version that this one replaced or deleted, 0 for a creation: following it tells what a past
 *   revision held, and which rows compaction may drop. Rows are only ever appended at the end.
 * - `live`: the version each present key has now. `expires` is in epoch milliseconds.
 * - `identity`: one row, by which the other files of the directory know the database. `generation` changes when
 *   nothing else does and a commit is needed all the same.
 * - `state`: one row. History before `compacted` is forgotten; rows that this made superfluous are gone up to `swept`.
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

/** Tells what a database is; refuses one that is not ours or of a later version. */
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

/** Brings a database to the current schema; `id` is the identity that it gets or has. */
export function prepareSchema(db: DatabaseSync, path: string, id: string): void {
  const kind = databaseKind(db, path);
  if (kind === 'current') return;
  db.exec(`BEGIN IMMEDIATE; ${kind === 'empty' ? SCHEMA : ''} ${IDENTITY};
    INSERT INTO identity VALUES ('${id}', 0);
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}
