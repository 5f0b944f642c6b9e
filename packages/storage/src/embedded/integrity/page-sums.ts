import { closeSync, fdatasyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { PAGE_BYTES } from '../database/sqlite.ts';
import { readFully, readIfPresent, syncDirectory, withFile, writeFully } from '../files/file-io.ts';

const MAGIC = 'orchsums';
const FORMAT = 1;
const HEADER_BYTES = 64;
const CHUNK_PAGES = 256;
const ZERO_PAGE_SUM = crc32(Buffer.alloc(PAGE_BYTES));

/**
 * A checksum of every page of the database, and one of the file itself. Valid for each page without a committed
 * version in the write-ahead log: the checksums are written before the log is checkpointed, and the log is not
 * restarted before all of it was.
 */
export class PageSums {
  readonly id: string;
  #sequence: number;
  #sums: Uint32Array;
  #pages = 0;

  private constructor(id: string, sequence: number, sums: Uint32Array) {
    this.id = id;
    this.#sequence = sequence;
    this.#sums = sums;
    this.#pages = sums.length;
  }

  /** Checksums of the database file; its log must be empty. */
  static ofDatabase(path: string, id: string, sequence: number): PageSums {
    const sums = new PageSums(id, sequence, new Uint32Array(0));
    eachPage(path, (page, sum) => sums.set(page, sum));
    return sums;
  }

  static read(path: string): PageSums | 'missing' | 'damaged' {
    const bytes = readIfPresent(path);
    if (bytes === undefined) return 'missing';
    const end = bytes.length - 4;
    if (end < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return 'damaged';
    if (bytes.readUInt32LE(8) !== FORMAT || bytes.readUInt32LE(end) !== crc32(bytes.subarray(0, end)))
      return 'damaged';
    const pages = bytes.readUInt32LE(12);
    if (end !== HEADER_BYTES + 4 * pages) return 'damaged';
    const sums = new Uint32Array(pages);
    for (let page = 0; page < pages; page++) sums[page] = bytes.readUInt32LE(HEADER_BYTES + 4 * page);
    return new PageSums(bytes.toString('hex', 24, 40), bytes.readUInt32LE(16), sums);
  }

  /** Incremented by every `write`. */
  get sequence(): number {
    return this.#sequence;
  }

  get pages(): number {
    return this.#pages;
  }

  /** `page` counts from 1, as SQLite does. */
  set(page: number, sum: number): void {
    this.resize(Math.max(this.#pages, page));
    this.#sums[page - 1] = sum;
  }

  /** Pages that were added without having been written are zero. */
  resize(pages: number): void {
    if (pages > this.#sums.length) {
      const grown = new Uint32Array(Math.max(pages, 2 * this.#sums.length));
      grown.set(this.#sums.subarray(0, this.#pages));
      this.#sums = grown;
    }
    if (pages > this.#pages) this.#sums.fill(ZERO_PAGE_SUM, this.#pages, pages);
    this.#pages = pages;
  }

  /** Replaces the file; it is durable when this returns. */
  write(path: string): void {
    const bytes = this.#encode(this.#sequence + 1);
    const fresh = `${path}.new`;
    try {
      const descriptor = openSync(fresh, 'w', 0o600);
      try {
        writeFully(descriptor, bytes, 0);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
    syncDirectory(dirname(path));
    this.#sequence++;
  }

  /** Pages of the database whose checksum differs, except those in `skipped`. */
  damagedPages(path: string, skipped: { has(page: number): boolean }): number[] {
    const damaged: number[] = [];
    const present = eachPage(path, (page, sum) => {
      if (page <= this.#pages && sum !== this.#sums[page - 1] && !skipped.has(page)) damaged.push(page);
    });
    for (let page = present + 1; page <= this.#pages; page++) {
      // A page that was never written does not exist until the file has its full length.
      if (this.#sums[page - 1] !== ZERO_PAGE_SUM && !skipped.has(page)) damaged.push(page);
    }
    return damaged;
  }

  #encode(sequence: number): Buffer {
    const bytes = Buffer.alloc(HEADER_BYTES + 4 * this.#pages + 4);
    bytes.write(MAGIC, 0, 'latin1');
    bytes.writeUInt32LE(FORMAT, 8);
    bytes.writeUInt32LE(this.#pages, 12);
    bytes.writeUInt32LE(sequence, 16);
    bytes.write(this.id, 24, 16, 'hex');
    for (let page = 0; page < this.#pages; page++)
      bytes.writeUInt32LE(this.#sums[page] ?? 0, HEADER_BYTES + 4 * page);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    return bytes;
  }
}

/** Visits the complete pages of a database; returns their number. */
function eachPage(path: string, visit: (page: number, sum: number) => void): number {
  const chunk = Buffer.allocUnsafe(CHUNK_PAGES * PAGE_BYTES);
  const pages = withFile(path, (descriptor, size) => {
    const whole = Math.floor(size / PAGE_BYTES);
    for (let first = 0; first < whole; first += CHUNK_PAGES) {
      const read = readFully(descriptor, chunk, first * PAGE_BYTES);
      const count = Math.min(CHUNK_PAGES, whole - first, Math.floor(read / PAGE_BYTES));
      for (let i = 0; i < count; i++)
        visit(first + i + 1, crc32(chunk.subarray(i * PAGE_BYTES, (i + 1) * PAGE_BYTES)));
    }
    return whole;
  });
  return pages ?? 0;
}
