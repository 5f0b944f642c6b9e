import { statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { FULL_MESSAGE, PAGE_BYTES, type Query, query, storeErrorOf } from '../database/sqlite.ts';
import { isDiskFull } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { ReserveFile, sizeOf } from './reserve-file.ts';
import { decideSpace, LOG_PART, type Space } from './space-decision.ts';

export interface SpaceLimits {
  /** Maximum size of the database; 0 means no limit. */
  readonly maxBytes: number;
  /** Maximum reserve; less on a small disk. */
  readonly reserveBytes: number;
}

/** Divisor: the maximum part of a small disk, or of a small limit, that is reserved. */
const SMALLEST_PART = 16;

/** Divisor: with enough space, it is measured each time this part of the reserve was written. */
const MEASURED_PART = 8;

/** Approximate bytes that a request needs besides its own: pages of the index. */
export const OVERHEAD_BYTES = 64 * 1024;

/**
 * Reserves space for deletions on a full disk: disk space in a file, and pages of the database where its size is
 * limited or the disk is full of free pages.
 */
export class SpaceReserve {
  readonly #files: StoreFiles;
  readonly #db: DatabaseSync;
  readonly #pages: { readonly all: Query; readonly free: Query };
  readonly #file: ReserveFile;
  readonly #maxPages: number;
  readonly bytes: number;
  #isFull = false;
  #isScarce = false;
  #unmeasured = 0;

  constructor(files: StoreFiles, db: DatabaseSync, { maxBytes, reserveBytes }: SpaceLimits) {
    this.#files = files;
    this.#db = db;
    this.#pages = { all: query(db, 'PRAGMA page_count'), free: query(db, 'PRAGMA freelist_count') };
    this.#file = new ReserveFile(files.reserve);
    this.#maxPages = Math.ceil(maxBytes / PAGE_BYTES);
    const disk = statfsSync(files.dir);
    const smallest = Math.min(disk.blocks * disk.bsize, maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY);
    this.bytes = Math.floor(Math.min(reserveBytes, smallest / SMALLEST_PART) / PAGE_BYTES) * PAGE_BYTES;
  }

  /** There is only space for a small log. */
  get isScarce(): boolean {
    return this.#isScarce;
  }

  /** Only writes that make room are accepted. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes that the log needs when no other space is left. */
  get logBytes(): number {
    return this.bytes / LOG_PART;
  }

  /** Size of the log at which it is checkpointed at the latest. */
  get logLimit(): number {
    if (this.bytes === 0) return Number.POSITIVE_INFINITY;
    return this.#isScarce ? this.bytes / 16 : 2 * this.bytes;
  }

  /** A checkpoint would need most of the reserve if another program filled the disk. */
  get isLogDue(): boolean {
    return this.bytes > 0 && this.#toCopy(Number(this.#pages.all.get()?.[0])) >= 0.75 * this.bytes;
  }

  /** Classifies a failed read or write. Some failures of a full disk are reported as I/O errors. */
  failureOf(error: unknown, doing: string): unknown {
    const failure = fileErrorOf(storeErrorOf(error, doing), doing);
    if (!(failure instanceof StoreError) || failure.code !== 'unavailable') return failure;
    if (!isDiskFull(error) && !this.#file.isRefused()) return failure;
    return new StoreError('full', `${FULL_MESSAGE} (${failure.message})`, { cause: error });
  }

  /** Must be called when a write has failed on a full disk: frees the reserve. */
  release(): void {
    this.#isFull = true;
    this.#isScarce = true;
    this.#limitPages(this.#maxPages);
    this.#file.shrink(0);
  }

  /** Must be called before a write that needs space; updates `isFull`. */
  admit(bytes: number): void {
    const incoming = bytes + OVERHEAD_BYTES;
    this.#unmeasured += incoming;
    if (this.#isFull || (!this.#isScarce && this.#unmeasured < this.bytes / MEASURED_PART)) return;
    // Without a reserve, only a failed write shows that the disk is full.
    if (this.bytes > 0) this.#decide(incoming);
  }

  /** Measures the space, and reserves it again when there is enough. */
  restore(): void {
    this.#decide(0);
  }

  #decide(incoming: number): void {
    this.#unmeasured = 0;
    const now = { isFull: this.#isFull, incoming };
    const { bavail, bsize } = statfsSync(this.#files.dir);
    const decision = decideSpace(this.#space(bavail * bsize), this.bytes, now);
    if (decision.isFull) {
      this.release();
      return;
    }
    // Beyond a quota, free space of the disk cannot be used.
    const held = this.#file.grow(decision.hold);
    const real = held ? decision : decideSpace(this.#space(0), this.bytes, now);
    if (real.isFull) {
      this.release();
      return;
    }
    if (!held) this.#file.shrink(real.hold);
    this.#limitPages(this.#maxPages - this.bytes / PAGE_BYTES);
    this.#isFull = false;
    this.#isScarce = real.isScarce;
  }

  /** The available space when the disk has `free` bytes besides the reserve. */
  #space(free: number): Space {
    const { wal, sums } = this.#files;
    const pages = Number(this.#pages.all.get()?.[0]);
    const forLog = Math.max(0, this.logBytes - sizeOf(wal));
    return {
      // The checksums are written to a new file.
      disk: free + this.#file.bytes - this.#toCopy(pages) - forLog - sizeOf(sums),
      within: Number(this.#pages.free.get()?.[0]) * PAGE_BYTES,
      growth: this.#maxPages > 0 ? (this.#maxPages - pages) * PAGE_BYTES : Number.POSITIVE_INFINITY,
    };
  }

  /** Bytes by which a checkpoint grows the database file. */
  #toCopy(pages: number): number {
    return Math.max(0, pages * PAGE_BYTES - sizeOf(this.#files.database));
  }

  #limitPages(pages: number): void {
    if (this.#maxPages > 0) query(this.#db, `PRAGMA max_page_count = ${pages}`).get();
  }
}

/** Converts system errors of the files next to the database, which are not SQLite errors. */
function fileErrorOf(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new StoreError('unavailable', `the embedded store failed (${doing}): ${error.message}`, {
    cause: error,
  });
}
