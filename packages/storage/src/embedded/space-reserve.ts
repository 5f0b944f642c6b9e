import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import type { StoreFiles } from './files.ts';
import { FULL_MESSAGE, PAGE_BYTES, type Query, query, storeErrorOf } from './sqlite.ts';

export interface SpaceLimits {
  /** The database refuses to grow beyond it; 0 is no limit of our own. */
  readonly maxBytes: number;
  /** Held back at most; less on a small disk. */
  readonly reserveBytes: number;
}

/** A disk with less than this counts as full when it fails. */
const SCARCE_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Of a small disk, or of a small limit, no more than this part is held back. */
const SMALLEST_PART = 16;

/**
 * Space that is held back while there is enough, so that deletions work when there is none: bytes of the disk in a file
 * of their own, and pages of the database where its size has a limit.
 */
export class SpaceReserve {
  readonly #files: StoreFiles;
  readonly #db: DatabaseSync;
  readonly #pages: { readonly all: Query; readonly free: Query };
  readonly #maxPages: number;
  readonly bytes: number;
  #isFull = false;
  /** What is held back is free space within the database, not the file. */
  #isWithin = false;

  constructor(files: StoreFiles, db: DatabaseSync, { maxBytes, reserveBytes }: SpaceLimits) {
    this.#files = files;
    this.#db = db;
    this.#pages = { all: query(db, 'PRAGMA page_count'), free: query(db, 'PRAGMA freelist_count') };
    this.#maxPages = Math.ceil(maxBytes / PAGE_BYTES);
    const disk = statfsSync(files.dir);
    const smallest = Math.min(disk.blocks * disk.bsize, maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY);
    this.bytes = Math.floor(Math.min(reserveBytes, smallest / SMALLEST_PART) / PAGE_BYTES) * PAGE_BYTES;
    this.#limitPages(this.#maxPages - this.bytes / PAGE_BYTES);
  }

  /** There is no room but for a small log. */
  get isScarce(): boolean {
    return this.#isFull || this.#isWithin;
  }

  /** Only what makes room may be written. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** What a failed read or write means. Some failures for want of space come as failures of the disk. */
  failureOf(error: unknown, doing: string): unknown {
    const failure = fileErrorOf(storeErrorOf(error, doing), doing);
    if (!(failure instanceof StoreError) || failure.code !== 'unavailable') return failure;
    const disk = statfsSync(this.#files.dir);
    if (disk.bavail * disk.bsize > SCARCE_BYTES) return failure;
    return new StoreError('full', `${FULL_MESSAGE} (${failure.message})`, { cause: error });
  }

  /** Frees what was held back. */
  release(): void {
    this.#isFull = true;
    this.#limitPages(this.#maxPages);
    if (sizeOf(this.#files.reserve) > 0) truncateSync(this.#files.reserve);
  }

  /** To be called before a write that needs room; whether there is some. */
  hasRoom(): boolean {
    if (this.#isFull || (this.#isWithin && this.#freeWithin() < this.bytes)) return this.restore();
    return true;
  }

  /**
   * Holds the space back, again, if there is enough beyond it for writes to go on; whether there is. Where a disk is full
   * of the database itself, that is what the database has free within it.
   */
  restore(): boolean {
    const margin = this.bytes / 2;
    this.#isWithin = !(this.#canGrow(margin) && this.#fill(this.bytes));
    // The log and the checksums need space of the disk all the same.
    this.#isFull =
      this.#isWithin && !(this.#freeWithin() >= this.bytes + margin && this.#fill(this.bytes / 4));
    if (!this.#isWithin) this.#limitPages(this.#maxPages - this.bytes / PAGE_BYTES);
    return !this.#isFull;
  }

  /** The database may grow by `margin`, with the space held back in the file. */
  #canGrow(margin: number): boolean {
    const pages = Number(this.#pages.all.get()?.[0]);
    const grown = pages * PAGE_BYTES + margin + this.bytes;
    if (this.#maxPages > 0 && grown > this.#maxPages * PAGE_BYTES) return false;
    const disk = statfsSync(this.#files.dir);
    const missing = this.bytes - sizeOf(this.#files.reserve);
    return disk.bavail * disk.bsize >= missing + margin;
  }

  #freeWithin(): number {
    return Number(this.#pages.free.get()?.[0]) * PAGE_BYTES;
  }

  /** Not synced: the space is taken when it is written. False when the disk has become full meanwhile. */
  #fill(bytes: number): boolean {
    const { reserve } = this.#files;
    if (sizeOf(reserve) === bytes) return true;
    const disk = statfsSync(this.#files.dir);
    if (disk.bavail * disk.bsize + sizeOf(reserve) < bytes) return false;
    const zeros = Buffer.alloc(CHUNK_BYTES);
    try {
      const descriptor = openSync(reserve, 'w', 0o600);
      try {
        for (let at = 0; at < bytes; ) {
          at += writeSync(descriptor, zeros, 0, Math.min(zeros.length, bytes - at), at);
        }
      } finally {
        closeSync(descriptor);
      }
      return true;
    } catch (error) {
      rmSync(reserve, { force: true });
      // Where a file of this size may not be, for another reason than want of space, the store works without.
      const { code } = error as NodeJS.ErrnoException;
      return code !== 'ENOSPC' && code !== 'EDQUOT';
    }
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

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
