import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, type Random, sleep } from '@orch/machinery';

/** Writes a file that only its owner may read, whole or not at all. Creates its folder. */
export function writePrivateFile(path: string, content: string, random: Random): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${random.uuid()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The content of a file; undefined when there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === code;

const staleMs = 10_000;
const pollMs = 20;

/**
 * Runs `work` while no other process does under the same lock file. A lock older than ten seconds was left behind by a
 * process that died, and is taken over.
 */
export async function withLockFile<T>(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  work: () => T,
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (!tryLock(path)) {
    if (isStale(path, clock.now())) rmSync(path, { force: true });
    else await sleep(clock, pollMs, signal);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function isStale(path: string, now: number): boolean {
  try {
    return now - statSync(path).mtimeMs > staleMs;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}
