import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import { createPrivate } from './private-file.ts';
import { LOCK_FILE } from './schema.ts';
import { resultCode, storeErrorOf } from './sqlite.ts';

const SQLITE_BUSY = 5;

/**
 * Takes the directory for this process, or fails with `unavailable` when another one has it. The lock is a
 * transaction on a database of its own: the kernel releases it however the process ends, which no pid file can say.
 */
export function lockDirectory(dir: string): { release(): void } {
  const path = join(dir, LOCK_FILE);
  createPrivate(path);
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (resultCode(error) !== SQLITE_BUSY) throw storeErrorOf(error, `locking ${path}`);
    throw new StoreError('unavailable', `the data directory ${dir} is in use by another process`, {
      cause: error,
    });
  }
  return { release: () => db.close() };
}
