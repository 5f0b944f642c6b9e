/** Files that runs share: their names contain the hash of what they are made from, so that one that exists is complete. */
import {
  existsSync,
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** How long files are kept that no run uses. */
const KEEP_MS = 24 * 60 * 60 * 1000;
/** How long a run uses what an earlier one prepared: it ends long before its files are removed. */
const FRESH_MS = KEEP_MS / 2;

/** Milliseconds since a run has kept the file; infinite without the file. */
const ageOf = (path: string): number =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY);

export const isFresh = (path: string): boolean => ageOf(path) < FRESH_MS;

/** Makes the file unless it exists or `make` returns nothing. */
export function keepFile(path: string, make: () => string | Uint8Array | undefined): void {
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  const contents = make();
  if (contents === undefined) return;
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, path);
}

export function removeOldFiles(folder: string): void {
  for (const name of globSync('**/*.*', { cwd: folder }))
    if (ageOf(join(folder, name)) > KEEP_MS) rmSync(join(folder, name), { force: true });
}
