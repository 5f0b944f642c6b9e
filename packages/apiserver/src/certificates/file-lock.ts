import { closeSync, mkdirSync, openSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Env } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { createFolder } from '@orch/machinery/create-folder';

/** A lock that this process holds. */
export interface FileLock extends Disposable {
  /** The path of the file. It is kept when the lock is released: a removed file could be locked twice. */
  readonly path: string;
}

const SQLITE_BUSY = 5;

/**
 * Locks a file, which is created for its owner only; returns undefined when it is locked, by this process or another.
 * The lock is a transaction on an empty database: the kernel releases it however the process ends, independently of
 * the age and the content of the file. In Node 20, where test control planes run in folders of their own, it is a folder beside
 * the file, which a process that is killed leaves there. Throws errors of the file system.
 */
export function tryFileLock(path: string): FileLock | undefined {
  createFolder(dirname(path));
  createPrivate(path);
  const sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite');
  const unlock = sqlite === undefined ? makeFolder(`${path}.held`) : beginTransaction(sqlite, path);
  return unlock && { path, [Symbol.dispose]: unlock };
}

type Sqlite = typeof import('node:sqlite');
type Unlock = () => void;

function beginTransaction({ DatabaseSync }: Sqlite, path: string): Unlock | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Without it, the end of the transaction, which writes nothing, waits three times for the disk.
    database.exec('PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => database.close();
}

function makeFolder(path: string): Unlock | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  return () => rmdirSync(path);
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Not opened when it exists: closing a file drops all locks that this process has on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const POLL_MS = 20;
/** Waits longer than this are logged. */
const LONG_WAIT_MS = 1_000;

/** Runs `work` while holding the lock of a file; waits for the lock until the signal aborts. */
export async function withFileLock<T>(
  path: string,
  { clock, log }: Pick<Env, 'clock' | 'log'>,
  signal: AbortSignal,
  work: () => T,
): Promise<T> {
  const reportAt = clock.monotonic() + LONG_WAIT_MS;
  let isReported = false;
  for (;;) {
    using lock = tryFileLock(path);
    if (lock !== undefined) return work();
    if (!isReported && clock.monotonic() >= reportAt) {
      isReported = true;
      log.info('waiting for another process that holds a lock', { path });
    }
    await sleep(clock, POLL_MS, signal);
  }
}
