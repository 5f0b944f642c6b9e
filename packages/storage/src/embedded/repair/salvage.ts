import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '../../store.ts';
import { openReadConnection, PAGE_BYTES, query } from '../database/sqlite.ts';
import { type StoreFiles, storeFiles } from '../files/store-files.ts';
import { readMark } from '../integrity/high-water-mark.ts';
import { PageSums } from '../integrity/page-sums.ts';
import { readWal, type WalContents } from '../integrity/wal-file.ts';
import { freshFirstPage } from './fresh-first-page.ts';
import { type Entry, type Readable, readCopy } from './read-copy.ts';

/** The content that can be recovered from damaged files. */
export interface Salvage {
  readonly entries: readonly Entry[];
  /** Keys whose values cannot be read. */
  readonly lost: readonly string[];
  /** Parts of the table of keys cannot be read. */
  readonly maybeMore: boolean;
  /** The last revision in the files. */
  readonly rev: Revision;
}

const CACHE_BYTES = 4 * 1024 * 1024;
/** A database of which a larger part differs from the checksums is an older copy or another database. */
const OTHER_PART = 1 / 4;

/**
 * Recovers reliable content; undefined when there is none. Damaged pages are filled with a different byte in each of
 * two copies: content that is equal in both does not depend on damaged pages. `work` is an empty folder for the
 * copies.
 */
export function salvage(files: StoreFiles, work: string): Salvage | undefined {
  if ((statSync(files.database, { throwIfNoEntry: false })?.size ?? 0) < PAGE_BYTES) return undefined;
  const wal = usableWal(files);
  const damaged = damagedPages(files, wal, work);
  const fillers = damaged.length === 0 ? [0] : [0, 0xff];
  const [one, two] = fillers.map((filler) => {
    const copy = copyOf(files, wal, join(work, `copy-${filler}`));
    overwrite(copy.database, damaged, { filler, work });
    return readCopy(copy.database);
  });
  if (one === undefined || (damaged.length > 0 && two === undefined)) return undefined;
  return two === undefined ? salvageOf(one) : agreed(one, two);
}

/** The log, if it belongs to the database. */
function usableWal(files: StoreFiles): WalContents | undefined {
  const mark = readMark(files.mark);
  const wal = readWal(files.wal);
  if (wal.kind !== 'frames') return undefined;
  if (typeof mark === 'string' || mark.state === 'adopting') return wal;
  return mark.state === 'open' && wal.salts === mark.salts ? wal : undefined;
}

/** Pages whose content is known to be wrong. Without checksums of the database there are none. */
function damagedPages(files: StoreFiles, wal: WalContents | undefined, work: string): readonly number[] {
  const sums = PageSums.read(files.sums);
  const mark = readMark(files.mark);
  if (typeof sums === 'string' || (typeof mark !== 'string' && mark.id !== sums.id)) return [];
  const inLog = wal?.kind === 'frames' ? wal.pages : new Set<number>();
  const pages = sums.damagedPages(files.database, inLog);
  const isOther = pages.length > sums.pages * OTHER_PART && isWhole(copyOf(files, wal, join(work, 'whole')));
  return isOther ? [] : pages;
}

/** SQLite's integrity check passes: then the database, or the checksums file, is an older copy. */
function isWhole(copy: StoreFiles): boolean {
  try {
    const db = openReadConnection(copy.database, CACHE_BYTES);
    try {
      return query(db, 'PRAGMA integrity_check').get()?.[0] === 'ok';
    } finally {
      db.close();
    }
  } catch {
    return false;
  } finally {
    rmSync(copy.dir, { recursive: true });
  }
}

function copyOf(files: StoreFiles, wal: WalContents | undefined, dir: string): StoreFiles {
  const copy = storeFiles(dir);
  mkdirSync(dir, { mode: 0o700 });
  copyFileSync(files.database, copy.database);
  if (wal !== undefined) copyFileSync(files.wal, copy.wal);
  return copy;
}

function overwrite(
  path: string,
  damaged: readonly number[],
  { filler, work }: { readonly filler: number; readonly work: string },
): void {
  const descriptor = openSync(path, 'r+');
  try {
    const pages = Math.floor(statSync(path).size / PAGE_BYTES);
    ftruncateSync(descriptor, pages * PAGE_BYTES);
    const filled = Buffer.alloc(PAGE_BYTES, filler);
    for (const page of damaged) {
      const bytes = page === 1 ? freshFirstPage(work, pages) : filled;
      writeSync(descriptor, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    }
  } finally {
    closeSync(descriptor);
  }
}

const salvageOf = ({ entries, lost, maybeMore, rev }: Readable): Salvage => ({
  entries: [...entries.values()],
  lost: [...lost],
  maybeMore,
  rev,
});

/** The content that is equal in both copies. */
function agreed(one: Readable, two: Readable): Salvage {
  const lost = new Set([...one.lost, ...two.lost]);
  for (const [key, entry] of one.entries) if (!isSame(entry, two.entries.get(key))) lost.add(key);
  for (const key of two.entries.keys()) if (!one.entries.has(key)) lost.add(key);
  const entries = [...one.entries.values()].filter((entry) => !lost.has(entry.key));
  return {
    entries,
    lost: [...lost],
    maybeMore: one.maybeMore || two.maybeMore,
    rev: Math.min(one.rev, two.rev),
  };
}

const isSame = (one: Entry, two: Entry | undefined): boolean =>
  two !== undefined &&
  one.rev === two.rev &&
  one.createRev === two.createRev &&
  one.expires === two.expires &&
  Buffer.compare(one.value, two.value) === 0;
