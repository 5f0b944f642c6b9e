import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Random } from '@orch/machinery';
import { databaseKind, prepareSchema } from '../database/schema.ts';
import { openConnection, openReadConnection, query } from '../database/sqlite.ts';
import { createPrivateFile, syncDirectory } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { MarkFile, readMark } from './high-water-mark.ts';
import { PageSums } from './page-sums.ts';

const CACHE_BYTES = 4 * 1024 * 1024;

/**
 * Creates a store, or upgrades one of a version that had only the database and its log. A crash in between leaves a
 * mark in state `adopting`, and the next start repeats it: no commit is acknowledged before. `fill` adds the initial
 * content.
 */
export function adoptStore(files: StoreFiles, id: string, fill?: (db: DatabaseSync) => void): void {
  refuseForeign(files);
  const mark = MarkFile.create(files.mark, id);
  try {
    createPrivateFile(files.database);
    syncDirectory(files.dir);
    const db = openConnection(files.database, CACHE_BYTES);
    let rev: number;
    try {
      prepareSchema(db, files.database, id);
      fill?.(db);
      const [last, compacted] =
        query(db, 'SELECT (SELECT max(rev) FROM log), compacted FROM state').get() ?? [];
      rev = Math.max(Number(last ?? 0), Number(compacted));
    } finally {
      // Closing the last connection checkpoints the log and removes it.
      db.close();
    }
    const sums = PageSums.ofDatabase(files.database, id, 0);
    sums.write(files.sums);
    mark.change({ state: 'clean', rev, sumsSequence: sums.sequence });
  } finally {
    mark.close();
  }
}

/** Leaves the directory unchanged when the database belongs to another program. */
function refuseForeign({ database, mark }: StoreFiles): void {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  // A crash in an adoption may have left a journal, and only a connection that writes can roll it back.
  const wasInterrupted = typeof readMark(mark) === 'object';
  const db = wasInterrupted ? new DatabaseSync(database) : openReadConnection(database, CACHE_BYTES);
  try {
    databaseKind(db, database);
  } finally {
    db.close();
  }
}

export const newIdentity = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');
