import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner may read, unless it is there. SQLite takes an empty file for a new database
 * and gives the files that it puts beside it the same mode; by itself it would make them readable for everybody.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Not opened when it exists: closing a file drops all locks that this process has on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
