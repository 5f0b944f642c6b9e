import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Reader } from '../database/reader.ts';
import { databaseKind } from '../database/schema.ts';
import { openReadConnection } from '../database/sqlite.ts';
import { removeLog, type StoreFiles } from '../files/store-files.ts';
import { checkFiles, type Finding } from './check-files.ts';
import type { Mark } from './high-water-mark.ts';

const CACHE_BYTES = 4 * 1024 * 1024;

/** Compares the content of the database with the high-water mark. */
export function checkContents(files: StoreFiles, reader: Reader, mark: Mark | undefined): Finding[] {
  const { rev, compacted, id } = reader.state();
  const reached = Math.max(rev, compacted, 1);
  if (mark === undefined || id !== mark.id) {
    return [{ file: basename(files.database), problem: 'belongs to another store than the high-water mark' }];
  }
  if (reached >= mark.rev) return [];
  const problem = `ends at revision ${reached}; revisions up to ${mark.rev} were acknowledged and are missing`;
  return [{ file: basename(mark.state === 'open' ? files.wal : files.database), problem }];
}

/** All problems of the files of a store that is not open. */
export function checkDirectory(files: StoreFiles): readonly Finding[] {
  const found = checkFiles(files);
  if (found.kind !== 'checked' || found.findings.length > 0) return found.findings;
  const hadLog = existsSync(files.wal);
  const db = openReadConnection(files.database, CACHE_BYTES);
  try {
    databaseKind(db, files.database);
    return checkContents(files, new Reader(db), found.mark);
  } finally {
    db.close();
    // Reading creates an empty log.
    if (!hadLog) removeLog(files);
  }
}
