import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import { query } from './sqlite.ts';

export const DATABASE_FILE = 'store.db';
export const LOCK_FILE = 'store.lock';

/** "orch" in ASCII: tells our files from other SQLite databases. */
const APPLICATION_ID = 0x6f726368;
const SCHEMA_VERSION = 1;

/**
 * - `log`: every version of every key that history still holds, by revision. A deletion has a NULL value.
 *   `prev_rev` is the version that this one replaced or deleted, 0 for a creation: following it tells what a past
 *   revision held, and which rows compaction may drop. Rows are only ever appended at the end.
 * - `live`: the version each present key has now. `expires` is in epoch milliseconds.
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

/** Creates the tables in an empty database; refuses one that is not ours or of a later version. */
export function prepareSchema(db: DatabaseSync, path: string): void {
  const applicationId = query(db, 'PRAGMA application_id').get()?.[0];
  const version = query(db, 'PRAGMA user_version').get()?.[0];
  if (applicationId === APPLICATION_ID && version === SCHEMA_VERSION) return;
  const tables = query(db, 'SELECT count(*) FROM sqlite_schema').get()?.[0];
  if (applicationId === APPLICATION_ID) {
    throw new StoreError(
      'corrupt',
      `${path} has format ${version}; this program reads format ${SCHEMA_VERSION}`,
    );
  }
  if (tables !== 0) throw new StoreError('corrupt', `${path} is a SQLite database of another program`);
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA}
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}
