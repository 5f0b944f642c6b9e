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
import { type Env, sleep } from '@orch/machinery';
import { CommandError } from '../command-error.ts';

/** How long a change waits for that of another process. */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 50;

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
  const unlock = await lock(`${path}.lock`, env);
  try {
    const before = existsSync(target) ? readFileSync(target, 'utf8') : '';
    const after = change(before);
    if (after !== before) replaceFile(target, after);
  } finally {
    unlock();
  }
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

/** Creates the lock file and returns its removal. Rejects with a CommandError when another process keeps it. */
async function lock(path: string, { clock }: Pick<Env, 'clock'>): Promise<() => void> {
  const deadline = clock.monotonic() + LOCK_WAIT_MS;
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
      if (clock.monotonic() > deadline)
        throw new CommandError(
          `${path} exists: another process is changing the file; remove the lock file if there is none`,
          { cause: error },
        );
    }
    await sleep(clock, LOCK_POLL_MS, new AbortController().signal);
  }
}
