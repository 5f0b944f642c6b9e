import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '../../store.ts';
import { query } from '../database/sqlite.ts';
import type { Entry } from './read-copy.ts';

/**
 * Fills an empty store with recovered keys. Its history starts after `revision`, the upper bound of their revisions.
 */
export function rebuild(db: DatabaseSync, entries: readonly Entry[], revision: Revision): void {
  const append = query(db, 'INSERT INTO log (rev, prev_rev, create_rev, key, value) VALUES (?, 0, ?, ?, ?)');
  const live = query(db, 'INSERT INTO live (key, rev, create_rev, expires) VALUES (?, ?, ?, ?)');
  db.exec('BEGIN IMMEDIATE');
  for (const { key, rev, createRev, expires, value } of entries.toSorted((a, b) => a.rev - b.rev)) {
    append.run(rev, createRev, key, value);
    live.run(key, rev, createRev, expires);
  }
  query(db, 'UPDATE state SET compacted = ?, swept = ?').run(revision, revision);
  db.exec('COMMIT');
}
