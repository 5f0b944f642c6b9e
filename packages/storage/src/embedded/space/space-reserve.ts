import { statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { FULL_MESSAGE, PAGE_BYTES, type Query, query, storeErrorOf } from '../database/sqlite.ts';
import { isWantOfSpace } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { ReserveFile, sizeOf } from './reserve-file.ts';
import { decideSpace, LOG_PART, type Space } from './space-decision.ts';

export interface SpaceLimits {
  /** The database refuses to grow beyond it; 0 is no limit of our own. */
  readonly maxBytes: number;
  /** Held back at most; less on a small disk. */
  readonly reserveBytes: number;
}

/** Of a small disk, or of a small limit, no more than this part is held back. */
const SMALLEST_PART = 16;

/** While there is enough, room is measured each time that so much of the reserve was written. */
const MEASURED_PART = 8;

/** What a request needs besides the bytes it brings, about: pages of the index. */
export const OVERHEAD_BYTES = 64 * 1024;

/**
 * Space that is held back while there is enough, so that deletions work when there is none: bytes of the disk in a file
 * of their own, and pages of the database where its size has a limit or the disk is full of free pages.
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

  /** There is no room but for a small log. */
  get isScarce(): boolean {
    return this.#isScarce;
  }

  /** Only what makes room may be written. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The log needs so much when there is nothing else. */
  get logBytes(): number {
    return this.bytes / LOG_PART;
  }

  /** The log is copied back when it has so many bytes, at the latest. */
  get logLimit(): number {
    if (this.bytes === 0) return Number.POSITIVE_INFINITY;
    return this.#isScarce ? this.bytes / 16 : 2 * this.bytes;
  }

  /** Copying the log back would need most of the reserve if another program filled the disk. */
  get isLogDue(): boolean {
    return this.bytes > 0 && this.#toCopy(Number(this.#pages.all.get()?.[0])) >= 0.75 * this.bytes;
  }

  /** What a failed read or write means. Some failures for want of space come as failures of the disk. */
  failureOf(error: unknown, doing: string): unknown {
    const failure = fileErrorOf(storeErrorOf(error, doing), doing);
    if (!(failure instanceof StoreError) || failure.code !== 'unavailable') return failure;
    if (!isWantOfSpace(error) && !this.#file.isRefused()) return failure;
    return new StoreError('full', `${FULL_MESSAGE} (${failure.message})`, { cause: error });
  }

  /** To be called when a write has failed for want of space: frees what was held back. */
  release(): void {
    this.#isFull = true;
    this.#isScarce = true;
    this.#limitPages(this.#maxPages);
    this.#file.shrink(0);
  }

  /** To be called before a write that needs room; afterwards `isFull` tells whether there is some. */
  admit(bytes: number): void {
    const incoming = bytes + OVERHEAD_BYTES;
    this.#unmeasured += incoming;
    if (this.#isFull || (!this.#isScarce && this.#unmeasured < this.bytes / MEASURED_PART)) return;
    // Without a reserve, only a failure tells that there is no room.
    if (this.bytes > 0) this.#decide(incoming);
  }

  /** Looks whether there is room and holds the space back, again, when there is. */
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
    // Beyond a quota, what the disk has free is of no use.
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

  /** What there is when the disk has `free` besides what is held. */
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

  /** By so much the file of the database grows when the log is copied back. */
  #toCopy(pages: number): number {
    return Math.max(0, pages * PAGE_BYTES - sizeOf(this.#files.database));
  }

  #limitPages(pages: number): void {
    if (this.#maxPages > 0) query(this.#db, `PRAGMA max_page_count = ${pages}`).get();
  }
}

/** Failures of the files beside the database come from the system, not from SQLite. */
function fileErrorOf(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new StoreError('unavailable', `the embedded store failed (${doing}): ${error.message}`, {
    cause: error,
  });
}
