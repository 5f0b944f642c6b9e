import { truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { createPrivateFile } from '../files/file-io.ts';
import { storeFiles } from '../files/store-files.ts';
import { resultCode, storeErrorOf } from './sqlite.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/**
 * Locks the directory for this process, or fails with `unavailable` when another process has locked it. The lock is a
 * transaction on a separate database: unlike a pid file, the kernel releases it however the process ends. The content
 * and the times of the file do not matter.
 */
export function lockDirectory(dir: string): { release(): void } {
  const path = storeFiles(dir).lock;
  createPrivateFile(path);
  try {
    return take(path, dir);
  } catch (error) {
    if (resultCode(error) !== SQLITE_NOTADB) throw error;
    // SQLite has read the content, so the lock was free. The file holds no data.
    truncateSync(path);
    return take(path, dir);
  }
}

function take(path: string, dir: string): { release(): void } {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    const code = resultCode(error);
    if (code === SQLITE_NOTADB) throw error;
    if (code !== SQLITE_BUSY) throw storeErrorOf(error, `locking ${path}`);
    throw new StoreError('unavailable', `the data directory ${dir} is in use by another process`, {
      cause: error,
    });
  }
  return { release: () => db.close() };
}
