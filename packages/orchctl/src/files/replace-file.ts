import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Env } from '@orch/machinery';
import { withFileLock } from './file-lock.ts';

/** Time that a change waits for that of another process. */
const LOCK_WAIT_MS = 5_000;

/**
 * Replaces the text of a file by `change(text)`, atomically and with mode 0600: readers see the old text or the new one, and
 * processes that change it at the same time, kubectl included, take turns by its lock file. The text of a missing file is empty.
 */
export async function changeFile(
  path: string,
  env: Pick<Env, 'clock'>,
  change: (text: string) => string,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  await withFileLock(`${path}.lock`, { env, waitMs: LOCK_WAIT_MS }, () => {
    const before = existsSync(target) ? readFileSync(target, 'utf8') : '';
    const after = change(before);
    if (after !== before) replaceFile(target, after);
  });
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
