import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of everything that one store keeps in its directory. */
export interface StoreFiles {
  readonly dir: string;
  readonly database: string;
  /** SQLite's write-ahead log. */
  readonly wal: string;
  /** SQLite's index of the log, in shared memory: rebuilt from the log whenever the store is opened. */
  readonly walIndex: string;
  /** The high-water mark (`../integrity/high-water-mark.ts`). */
  readonly mark: string;
  /** The checksums of the database's pages (`../integrity/page-sums.ts`). */
  readonly sums: string;
  /** Disk space reserved for deletions (`../space/space-reserve.ts`). */
  readonly reserve: string;
  readonly lock: string;
}

export function storeFiles(dir: string): StoreFiles {
  const database = join(dir, 'store.db');
  return {
    dir,
    database,
    wal: `${database}-wal`,
    walIndex: `${database}-shm`,
    mark: join(dir, 'store.mark'),
    sums: join(dir, 'store.sums'),
    reserve: join(dir, 'store.reserve'),
    lock: join(dir, 'store.lock'),
  };
}

/** Reports whether a folder contains a store, which may be damaged. */
export function hasStore(dir: string): boolean {
  const { database, mark } = storeFiles(dir);
  return existsSync(database) || existsSync(mark);
}

/** Removes a write-ahead log that is not needed, with its index. */
export function removeLog(files: StoreFiles): void {
  for (const path of [files.wal, files.walIndex]) rmSync(path, { force: true });
}
