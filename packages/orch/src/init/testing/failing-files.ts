import { writeFileSync } from 'node:fs';
import { type FileSystem, systemFiles } from '../file-system.ts';

export interface FailingFiles extends FileSystem {
  /** Number of operations that change something, so far. */
  readonly count: number;
}

/**
 * The file system, whose operation with the given number fails. After a `crash` every later operation fails, too, as if the
 * process had ended; after `noSpace` only operations fail that need space. The first part of a failing write is in its file.
 */
export function failingFiles(failAt: number, kind: 'crash' | 'noSpace'): FailingFiles {
  let count = 0;
  const change = (needsSpace: boolean, work: () => void, partly = (): void => undefined): void => {
    count++;
    const fails = kind === 'crash' ? count >= failAt : needsSpace && count >= failAt;
    if (!fails) {
      work();
      return;
    }
    if (count === failAt) partly();
    throw new Error(kind === 'crash' ? 'the process has ended' : 'ENOSPC: no space left on device');
  };
  return {
    get count() {
      return count;
    },
    list: (dir) => systemFiles.list(dir),
    read: (path) => systemFiles.read(path),
    write: (path, text, mode) =>
      change(
        true,
        () => systemFiles.write(path, text, mode),
        () => writeFileSync(path, text.slice(0, text.length / 2)),
      ),
    rename: (from, to) => change(false, () => systemFiles.rename(from, to)),
    remove: (path) => change(false, () => systemFiles.remove(path)),
    syncFolder: (dir) => change(false, () => systemFiles.syncFolder(dir)),
  };
}
