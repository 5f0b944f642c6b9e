import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { APPLICATION_ID, SCHEMA_VERSION } from '../database/schema.ts';
import { PAGE_BYTES } from '../database/sqlite.ts';
import { readFully, withFile } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { type Mark, readMark } from './high-water-mark.ts';
import { PageSums } from './page-sums.ts';
import { readWal, type WalContents } from './wal-file.ts';

/** A problem of a store's files. */
export interface Finding {
  /** Name of the file, in the store's directory. */
  readonly file: string;
  readonly problem: string;
  /** Pages of the database that are damaged. */
  readonly pages?: readonly number[];
}

/**
 * State of the files of a directory. For `new` and `unchecked` (of a version that had only the database and its log)
 * the other files must be created; `id` is defined when that was started before. A `checked` store may be opened when
 * `findings` is empty; `clean` means that the log is not needed.
 */
export interface FileSet {
  readonly kind: 'new' | 'unchecked' | 'checked';
  readonly id: string | undefined;
  readonly mark: Mark | undefined;
  readonly clean: boolean;
  readonly findings: readonly Finding[];
}

const USER_VERSION_OFFSET = 60;
const APPLICATION_ID_OFFSET = 68;
const HEADER_BYTES = 100;
const NAMED_PAGES = 8;

/** Checks that the files belong together and are undamaged. Read-only. */
export function checkFiles(files: StoreFiles): FileSet {
  const mark = readMark(files.mark);
  const wal = readWal(files.wal);
  if (mark === 'damaged') return damaged([{ file: basename(files.mark), problem: 'is damaged' }]);
  if (mark === 'missing') return checkUnmarked(files, wal, undefined);
  if (mark.state === 'adopting') return checkUnmarked(files, wal, mark.id);
  const findings = [...checkWal(files, wal, mark), ...checkDatabase(files, wal, mark)];
  return { kind: 'checked', id: mark.id, mark, clean: mark.state === 'clean', findings };
}

const damaged = (findings: readonly Finding[]): FileSet => ({
  kind: 'checked',
  id: undefined,
  mark: undefined,
  clean: false,
  findings,
});

/** `id` is defined when an adoption was interrupted. */
function checkUnmarked(files: StoreFiles, wal: WalContents, id: string | undefined): FileSet {
  const database = basename(files.database);
  const size = sizeOf(files.database);
  const others = { id, mark: undefined, clean: false };
  if (size === undefined || size === 0) {
    const isAlone = (wal.kind === 'missing' || wal.kind === 'empty') && sizeOf(files.sums) === undefined;
    if (isAlone) return { ...others, kind: 'new', findings: [] };
    const problem = `${size === 0 ? 'is empty' : 'is missing'}, but other files of the store exist`;
    return damaged([{ file: database, problem }]);
  }
  if (id === undefined && hasCheckedFormat(files.database)) {
    return damaged([{ file: basename(files.mark), problem: 'is missing' }]);
  }
  return { ...others, kind: 'unchecked', findings: checkUnmarkedWal(files, wal) };
}

/** Checks a log without a mark: damage is only what a crash cannot cause. */
function checkUnmarkedWal(files: StoreFiles, wal: WalContents): Finding[] {
  const file = basename(files.wal);
  if (wal.kind === 'damagedHeader' && (sizeOf(files.wal) ?? 0) > PAGE_BYTES)
    return [{ file, problem: 'has a damaged header' }];
  return wal.kind === 'frames' ? checkFrames(file, wal) : [];
}

function checkFrames(file: string, { damage }: Extract<WalContents, { kind: 'frames' }>): Finding[] {
  // The last commit may be torn: it was not acknowledged. Commits before it were durable.
  if (damage === undefined || damage.laterCommits < 2) return [];
  const { frame, offset, page, laterCommits } = damage;
  const where = `frame ${frame} at byte ${offset} (page ${page})`;
  return [{ file, problem: `is damaged in ${where}, with ${laterCommits} commits after it` }];
}

const walProblems = {
  missing: 'is missing',
  empty: 'is empty',
  damagedHeader: 'has a damaged header',
} as const;

function checkWal(files: StoreFiles, wal: WalContents, mark: Mark): Finding[] {
  const file = basename(files.wal);
  if (mark.state === 'clean') {
    if (wal.kind !== 'frames' || wal.salts === mark.salts || wal.commits < 2) return [];
    return [{ file, problem: `does not belong to this store, which was closed and is complete without it` }];
  }
  if (wal.kind !== 'frames') return [{ file, problem: walProblems[wal.kind] }];
  if (wal.salts === mark.salts) return checkFrames(file, wal);
  // Killed after the first commit of a generation, before the mark was updated.
  if (isNext(mark.salts, wal.salts) && wal.commits < 2) return [];
  const others = `${basename(files.mark)} and the other files`;
  return [{ file, problem: `does not belong to ${others}: it is from another store, or an older copy` }];
}

/** SQLite increments the first half of the salts when it restarts the log. */
function isNext(before: string, after: string): boolean {
  const first = (salts: string) => Number.parseInt(salts.slice(0, 8), 16);
  return first(after) === (first(before) + 1) % 2 ** 32;
}

function checkDatabase(files: StoreFiles, wal: WalContents, mark: Mark): Finding[] {
  const file = basename(files.database);
  const size = sizeOf(files.database);
  if (size === undefined) return [{ file, problem: 'is missing' }];
  if (size === 0) return [{ file, problem: 'is empty' }];
  const sums = PageSums.read(files.sums);
  const sumsProblem = problemOf(sums, mark);
  if (sumsProblem !== undefined) return [{ file: basename(files.sums), problem: sumsProblem }];
  if (!(sums instanceof PageSums)) return [];
  const inLog = mark.state === 'open' && wal.kind === 'frames' ? wal.pages : new Set<number>();
  const pages = sums.damagedPages(files.database, inLog);
  return pages.length === 0 ? [] : [{ file, problem: pagesProblem(pages, sums.pages), pages }];
}

function problemOf(sums: PageSums | 'missing' | 'damaged', mark: Mark): string | undefined {
  if (typeof sums === 'string') return `is ${sums}`;
  if (sums.id !== mark.id) return 'belongs to another store than the high-water mark';
  if (sums.sequence < mark.sumsSequence) return 'is an older copy';
  if (mark.state === 'clean' && sums.sequence > mark.sumsSequence)
    return 'is newer than the high-water mark, which is an older copy';
  return undefined;
}

function pagesProblem(pages: readonly number[], all: number): string {
  const named = pages.slice(0, NAMED_PAGES).join(', ');
  const more = pages.length > NAMED_PAGES ? ` and ${pages.length - NAMED_PAGES} more` : '';
  const many = pages.length > all / 2 ? '; it may be from another store, or an older copy' : '';
  return `is damaged in page${pages.length === 1 ? '' : 's'} ${named}${more} of ${all}${many}`;
}

/** The header of the database, without its log, has the format of a store with a mark (sqlite.org/fileformat.html). */
function hasCheckedFormat(path: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  withFile(path, (descriptor) => readFully(descriptor, header, 0));
  return (
    header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID &&
    header.readUInt32BE(USER_VERSION_OFFSET) === SCHEMA_VERSION
  );
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

export const problemsOf = (findings: readonly Finding[]): string =>
  findings.map(({ file, problem }) => `${file} ${problem}`).join('; ');

/** One line for the operator: the problem, and the remedy. */
export function damageMessage({ dir }: StoreFiles, findings: readonly Finding[]): string {
  return (
    `the embedded store is damaged: ${problemsOf(findings)}. Nothing was changed. Restore all files of ${dir} from one backup, ` +
    `or run "orch repair --data-dir=${dir} --dry-run" to see what can be recovered`
  );
}
