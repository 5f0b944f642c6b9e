import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';

const { R_OK, W_OK, X_OK } = constants;
/** Error codes of the system, and of a store, for a full disk or an exceeded quota. */
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'full']);
/** The error code of SQLite, which locks folders. */
const SQLITE_FULL = 13;
/** Maximum number of files of a folder that are examined. */
const MAX_FILES = 100;

/**
 * The reason why a program cannot write a file, or in a folder, and what the operator can do: a read-only file system,
 * a full disk, or files of another user. The message of `error` for every other reason.
 */
export function writeProblem(path: string, error: unknown): string {
  const [at, stats] = nearest(resolve(path));
  if (isDiskFull(error)) return `the disk of ${at} is full: free space, or name another place`;
  // The parent of a missing path must be a folder.
  if (at !== resolve(path) && !stats.isDirectory())
    return `${at} is a file and not a folder: remove it, or name another place`;
  for (const file of [at, ...filesIn(at, stats)]) {
    const problem = accessProblem(file);
    if (problem !== undefined) return problem;
  }
  return messageOf(error);
}

function accessProblem(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  switch (accessCode(path, stats.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)) {
    case 'EROFS':
      return `${path} is on a read-only file system: mount it for writing, or name another place`;
    case 'EACCES':
    case 'EPERM':
      return permissionProblem(path, stats);
    default:
      return undefined;
  }
}

function permissionProblem(path: string, { uid, mode }: Stats): string {
  const own = process.geteuid?.();
  if (own === undefined || own === uid)
    return `${path} does not permit its owner to write (mode ${(mode & 0o777).toString(8)}): change its mode, or name another place`;
  return `${path} belongs to user ${uid}, and this program runs as user ${own}: run it as that user, or give the files to user ${own} (chown -R)`;
}

function accessCode(path: string, mode: number): unknown {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function filesIn(path: string, stats: Stats): readonly string[] {
  if (!stats.isDirectory()) return [];
  try {
    return readdirSync(path)
      .slice(0, MAX_FILES)
      .map((name) => join(path, name));
  } catch {
    return [];
  }
}

/** The path, or the nearest one above that exists. */
function nearest(path: string): readonly [string, Stats] {
  for (let at = path; ; at = dirname(at)) {
    try {
      return [at, statSync(at)];
    } catch (error) {
      if (at === dirname(at)) throw error;
    }
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (fullCodes.has(codeOf(at)) || ('errcode' in at && at.errcode === SQLITE_FULL)) return true;
  return false;
}
