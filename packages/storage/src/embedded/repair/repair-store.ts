import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Env } from '@orch/machinery';
import { type Revision, StoreError } from '../../store.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { syncDirectory } from '../files/file-io.ts';
import { type StoreFiles, storeFiles } from '../files/store-files.ts';
import { adoptStore, newIdentity } from '../integrity/adopt-store.ts';
import { checkDirectory } from '../integrity/check-directory.ts';
import { type Finding, problemsOf } from '../integrity/check-files.ts';
import { readMark } from '../integrity/high-water-mark.ts';
import { rebuild } from './rebuild.ts';
import { type Salvage, salvage } from './salvage.ts';

export interface RepairOptions {
  readonly dir: string;
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Only finds out; changes nothing. */
  readonly dryRun: boolean;
}

/** What a repair has done, or would do. */
export interface RepairReport {
  /** What was wrong. Empty: nothing had to be done, and nothing was. */
  readonly findings: readonly Finding[];
  /** Keys that are kept, as they were at `keptThrough`. */
  readonly keptKeys: number;
  readonly keptThrough: Revision;
  /** Keys that are known and cannot be read: they are gone. */
  readonly droppedKeys: readonly string[];
  /** There may have been more keys, of which not even the names can be read. */
  readonly maybeMoreDropped: boolean;
  /** Every change with a revision in this range is gone; undefined when none is. */
  readonly droppedRevisions: { readonly first: Revision; readonly last: Revision } | undefined;
  /** Revisions go on after this one; history before it is gone, so that clients list anew. */
  readonly revision: Revision;
  /** Folder to which the damaged files were moved; undefined when none was. */
  readonly movedTo: string | undefined;
}

/** What the mark may be behind after a loss of power, and far more than was ever acknowledged in that time. */
const REVISION_MARGIN = 1_000_000;

/**
 * Makes a store out of what can be read of damaged files, and keeps those. Rejects with a `StoreError`: `unavailable`
 * when a process has the directory, `corrupt` when nothing can be recovered.
 */
export async function repairStore({ dir, env, dryRun }: RepairOptions): Promise<RepairReport> {
  const files = storeFiles(dir);
  if (!existsSync(dir)) throw new StoreError('unavailable', `there is no directory ${dir}`);
  const { release } = lockDirectory(dir);
  const work = join(dir, 'repair.tmp');
  try {
    const findings = checkDirectory(files);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { mode: 0o700 });
    const found = salvage(files, work);
    if (found === undefined) throw nothingLeft(files, findings);
    const report = reportOf(files, findings, found);
    if (dryRun || findings.length === 0) return report;
    const fresh = storeFiles(join(work, 'fresh'));
    mkdirSync(fresh.dir, { mode: 0o700 });
    adoptStore(fresh, newIdentity(env.random), (db) => rebuild(db, found.entries, report.revision));
    return { ...report, movedTo: exchange(files, fresh, env.clock.now()) };
  } finally {
    rmSync(work, { recursive: true, force: true });
    release();
  }
}

const nothingLeft = ({ database }: StoreFiles, findings: readonly Finding[]): StoreError =>
  new StoreError(
    'corrupt',
    `nothing can be recovered from ${database}: ${problemsOf(findings)}. Restore the directory from a backup`,
  );

function reportOf(files: StoreFiles, findings: readonly Finding[], found: Salvage): RepairReport {
  const mark = readMark(files.mark);
  const acknowledged = typeof mark === 'string' ? 0 : mark.rev;
  const last = Math.max(acknowledged, found.rev);
  return {
    findings,
    keptKeys: found.entries.length,
    keptThrough: found.rev,
    droppedKeys: found.lost,
    maybeMoreDropped: found.maybeMore,
    droppedRevisions: last > found.rev ? { first: found.rev + 1, last } : undefined,
    revision: findings.length === 0 ? found.rev : last + REVISION_MARGIN,
    movedTo: undefined,
  };
}

/** Puts the damaged files aside and the fresh ones in their place; the folder of the damaged ones. */
function exchange(files: StoreFiles, fresh: StoreFiles, now: number): string {
  const aside = join(files.dir, `damaged-${new Date(now).toISOString().replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  // The mark goes last and comes last: without it, and with other files there, nothing opens.
  const names = [files.wal, files.walIndex, files.sums, files.database, files.mark];
  for (const path of names) if (existsSync(path)) copyFileSync(path, join(aside, basename(path)));
  for (const path of names) syncIfPresent(join(aside, basename(path)));
  syncDirectory(aside);
  syncDirectory(files.dir);
  for (const path of [files.mark, files.wal, files.walIndex, files.reserve]) rmSync(path, { force: true });
  for (const name of ['sums', 'database', 'mark'] as const) renameSync(fresh[name], files[name]);
  syncDirectory(files.dir);
  return aside;
}

function syncIfPresent(path: string): void {
  if (!existsSync(path)) return;
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
