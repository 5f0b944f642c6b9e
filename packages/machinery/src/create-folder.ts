import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder for its owner only, and the folders above it; does nothing if it exists. Throws errors of the file system. Unlike
 * `mkdirSync` with `recursive`, it ends on file systems whose folders cannot be created and "do not exist", such as `/proc`.
 */
export function createFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (isFolder(path)) return;
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(above)) throw error;
    createFolder(above);
    createFolder(path);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
