import {
  closeSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import type { StoreFiles } from './files.ts';
import { FULL_MESSAGE, PAGE_BYTES, query, storeErrorOf } from './sqlite.ts';

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
  readonly #maxPages: number;
  readonly bytes: number;
  #isFull = false;

  constructor(files: StoreFiles, db: DatabaseSync, { maxBytes, reserveBytes }: SpaceLimits) {
    this.#files = files;
    this.#db = db;
    this.#maxPages = Math.ceil(maxBytes / PAGE_BYTES);
    const disk = statfsSync(files.dir);
    const smallest = Math.min(disk.blocks * disk.bsize, maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY);
    this.bytes = Math.floor(Math.min(reserveBytes, smallest / SMALLEST_PART) / PAGE_BYTES) * PAGE_BYTES;
    this.#limitPages(this.#maxPages - this.bytes / PAGE_BYTES);
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

  /** Holds the space back, again, if there is enough beyond it for writes to go on; whether there is. */
  restore(): boolean {
    this.#isFull = !(this.#hasRoom() && this.#fill());
    if (!this.#isFull) this.#limitPages(this.#maxPages - this.bytes / PAGE_BYTES);
    return !this.#isFull;
  }

  #hasRoom(): boolean {
    const margin = this.bytes / 2;
    const free = this.#pragma('freelist_count') * PAGE_BYTES;
    const used = this.#pragma('page_count') * PAGE_BYTES - free;
    if (this.#maxPages > 0 && used + this.bytes + margin > this.#maxPages * PAGE_BYTES) return false;
    const disk = statfsSync(this.#files.dir);
    const missing = this.bytes - sizeOf(this.#files.reserve);
    const available = disk.bavail * disk.bsize - missing;
    // What the database has free within it serves as well, as long as the log has the space to bring it there.
    return available >= (free >= margin ? 0 : margin);
  }

  /** False when the disk has become full meanwhile. */
  #fill(): boolean {
    const { reserve } = this.#files;
    const present = sizeOf(reserve);
    if (present === this.bytes) return true;
    const zeros = Buffer.alloc(CHUNK_BYTES);
    try {
      const descriptor = openSync(reserve, 'w', 0o600);
      try {
        for (let at = 0; at < this.bytes; ) {
          at += writeSync(descriptor, zeros, 0, Math.min(zeros.length, this.bytes - at), at);
        }
        fdatasyncSync(descriptor);
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

  #pragma(name: string): number {
    return Number(query(this.#db, `PRAGMA ${name}`).get()?.[0] ?? 0);
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
