import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** Operations on files that a folder of certificates needs. Each throws errors of the file system. */
export interface FileSystem {
  /** Names of the files in a folder; none when there is no such folder. */
  list(dir: string): readonly string[];
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
  /** Creates or replaces a file, and returns when its content is durable. */
  write(path: string, text: string, mode: number): void;
  rename(from: string, to: string): void;
  /** Also of a file that does not exist. */
  remove(path: string): void;
  /** Returns when renamed and removed files of a folder are durable. */
  syncFolder(dir: string): void;
}

export const systemFiles: FileSystem = {
  list: (dir) =>
    ifPresent(() =>
      readdirSync(dir, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name),
    ) ?? [],
  read: (path) => ifPresent(() => readFileSync(path, 'utf8')),
  write(path, text, mode) {
    // Not the file that an interrupted run has left: its mode may be another one.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode, flag: 'wx', flush: true });
  },
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
  syncFolder(dir) {
    const descriptor = openSync(dir, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
