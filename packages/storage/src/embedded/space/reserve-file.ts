import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { isDiskFull } from '../files/file-io.ts';

const CHUNK_BYTES = 1024 * 1024;
const PROBE_BYTES = 64 * 1024;

/** Disk space that a file reserves. */
export class ReserveFile {
  readonly #path: string;
  /** The file cannot be created, for another reason than a full disk: the store works without it. */
  #isImpossible = false;

  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return sizeOf(this.#path);
  }

  /**
   * Grows the file to `bytes`; returns false when the disk is full. The bytes are written, not synced: that allocates
   * the space, and detects a quota, which the size of free space does not show.
   */
  grow(bytes: number): boolean {
    if (this.#isImpossible || this.bytes >= bytes) return true;
    try {
      this.#append(bytes);
      return true;
    } catch (error) {
      if (isDiskFull(error)) return false;
      this.#isImpossible = true;
      rmSync(this.#path, { force: true });
      return true;
    }
  }

  shrink(bytes: number): void {
    if (this.bytes > bytes) truncateSync(this.#path, bytes);
  }

  /** Reports whether writing a few bytes fails because the disk is full. */
  isRefused(): boolean {
    const before = this.bytes;
    try {
      this.#append(before + PROBE_BYTES);
      return false;
    } catch (error) {
      return isDiskFull(error);
    } finally {
      if (this.bytes > before) truncateSync(this.#path, before);
    }
  }

  #append(bytes: number): void {
    const zeros = Buffer.alloc(Math.min(CHUNK_BYTES, bytes));
    const descriptor = openSync(this.#path, 'a', 0o600);
    try {
      for (let at = this.bytes; at < bytes; )
        at += writeSync(descriptor, zeros, 0, Math.min(zeros.length, bytes - at));
    } finally {
      closeSync(descriptor);
    }
  }
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
