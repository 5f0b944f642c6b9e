import { truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { createPrivateFile } from '../files/create-private-file.ts';
import { storeFiles } from '../files/store-files.ts';
import { resultCode, storeErrorOf } from './sqlite.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/**
 * Takes the directory for this process, or fails with `unavailable` when another one has it. The lock is a
 * transaction on a database of its own: the kernel releases it however the process ends, which no pid file can say.
 * What the file holds, and its times, do not matter.
 */
export function lockDirectory(dir: string): { release(): void } {
  const path = storeFiles(dir).lock;
  createPrivateFile(path);
  try {
    return take(path, dir);
  } catch (error) {
    if (resultCode(error) !== SQLITE_NOTADB) throw error;
    // SQLite has looked at the content: nobody held the lock then. It holds nothing that could be lost.
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
