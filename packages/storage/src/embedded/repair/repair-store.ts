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
import type { DatabaseSync } from 'node:sqlite';
import type { Env } from '@orch/machinery';
import { type Revision, StoreError } from '../../store.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { query } from '../database/sqlite.ts';
import { syncDirectory } from '../files/file-io.ts';
import { type StoreFiles, storeFiles } from '../files/store-files.ts';
import { adoptStore, newIdentity } from '../integrity/adopt-store.ts';
import { checkDirectory } from '../integrity/check-directory.ts';
import { type Finding, problemsOf } from '../integrity/check-files.ts';
import { readMark } from '../integrity/high-water-mark.ts';
import type { Entry } from './read-copy.ts';
import { type Salvage, salvage } from './salvage.ts';

export interface RepairOptions {
  readonly dir: string;
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Reports what a repair would do; changes nothing. */
  readonly dryRun: boolean;
}

/** The result of a repair, or of a dry run. */
export interface RepairReport {
  /** The problems found. Empty: nothing was changed. */
  readonly findings: readonly Finding[];
  /** Keys that are kept, as they were at `keptThrough`. */
  readonly keptKeys: number;
  readonly keptThrough: Revision;
  /** Keys whose values cannot be read: they are dropped. */
  readonly droppedKeys: readonly string[];
  /** There may be more dropped keys, whose names cannot be read either. */
  readonly maybeMoreDropped: boolean;
  /** Every change with a revision in this range is dropped; undefined when there is none. */
  readonly droppedRevisions: { readonly first: Revision; readonly last: Revision } | undefined;
  /** Revisions continue after this one; history before it is compacted, so that clients list again. */
  readonly revision: Revision;
  /** Folder to which the damaged files were moved; undefined when none was. */
  readonly movedTo: string | undefined;
}

/** Far more revisions than the mark can lag behind after a power failure. */
const REVISION_MARGIN = 1_000_000;

/**
 * Creates a store from what can be read of damaged files, and keeps those files. Rejects with a `StoreError`:
 * `unavailable` when a process has locked the directory, `corrupt` when nothing can be recovered.
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

/** Moves the damaged files to a folder and the new ones to their place; returns that folder. */
function exchange(files: StoreFiles, fresh: StoreFiles, now: number): string {
  const aside = join(files.dir, `damaged-${new Date(now).toISOString().replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  // The mark is replaced last: without it a directory with other files does not open.
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

/**
 * Fills an empty store with recovered keys. Its history starts after `revision`, the upper bound of their revisions.
 */
function rebuild(db: DatabaseSync, entries: readonly Entry[], revision: Revision): void {
  const append = query(db, 'INSERT INTO log (rev, prev_rev, create_rev, key, value) VALUES (?, 0, ?, ?, ?)');
  const live = query(db, 'INSERT INTO live (key, rev, create_rev, expires) VALUES (?, ?, ?, ?)');
  db.exec('BEGIN IMMEDIATE');
  for (const { key, rev, createRev, expires, value } of entries.toSorted((a, b) => a.rev - b.rev)) {
    append.run(rev, createRev, key, value);
    live.run(key, rev, createRev, expires);
  }
  query(db, 'UPDATE state SET compacted = ?, swept = ?').run(revision, revision);
  db.exec('COMMIT');
}
