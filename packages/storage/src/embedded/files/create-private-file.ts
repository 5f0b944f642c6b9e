import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner may read, unless it exists. SQLite treats an empty file as a new database
 * and creates its other files with the same mode; by itself it would make them readable for all users.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Not opened when it exists: closing a file drops all locks that this process has on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
