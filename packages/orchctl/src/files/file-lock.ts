import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Env } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { CommandError } from '../command-error.ts';

const POLL_MS = 50;

export interface LockOptions {
  readonly env: Pick<Env, 'clock'>;
  /** Time to wait for another process. */
  readonly waitMs: number;
  /** The lock of a process that ended without releasing it is taken over at this age; never when absent. */
  readonly staleMs?: number;
}

/** Runs `work` while this process has the lock file. Rejects with a CommandError when another process keeps it. */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  await lock(path, options);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function lock(path: string, { env: { clock }, waitMs, staleMs }: LockOptions): Promise<void> {
  const deadline = clock.monotonic() + waitMs;
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
      if (staleMs !== undefined && ageOf(path, clock.now()) > staleMs) {
        removeStale(path, (age) => age > staleMs, clock.now());
        continue;
      }
      if (clock.monotonic() > deadline)
        throw new CommandError(
          `${path} exists: another process is changing the file; remove the lock file if there is none`,
          { cause: error },
        );
    }
    await sleep(clock, POLL_MS, new AbortController().signal);
  }
}

/** Removes a stale lock. Another process may have replaced it meanwhile: a lock that is not stale is put back. */
function removeStale(path: string, isStale: (ageMs: number) => boolean, now: number): void {
  const taken = `${path}.${process.pid}`;
  try {
    renameSync(path, taken);
    if (!isStale(ageOf(taken, now))) linkSync(taken, path);
  } catch (error) {
    // Other processes have removed it, or created a new one.
    if (!(error instanceof Error) || !('code' in error) || !['ENOENT', 'EEXIST'].includes(String(error.code)))
      throw error;
  }
  rmSync(taken, { force: true });
}

const ageOf = (path: string, now: number): number =>
  now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
