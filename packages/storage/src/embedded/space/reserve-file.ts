import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { isWantOfSpace } from '../files/file-io.ts';

const CHUNK_BYTES = 1024 * 1024;
const PROBE_BYTES = 64 * 1024;

/** Space of the disk that is held in a file, so that it can be freed. */
export class ReserveFile {
  readonly #path: string;
  /** A file of this size may not be, for another reason than want of space: the store works without. */
  #isImpossible = false;

  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return sizeOf(this.#path);
  }

  /**
   * Takes space until the file has `bytes`; false when there is not so much. It is written and not synced: that takes
   * the space, and what counts is the answer of the system, for a quota does not show in what is free.
   */
  grow(bytes: number): boolean {
    if (this.#isImpossible || this.bytes >= bytes) return true;
    try {
      this.#append(bytes);
      return true;
    } catch (error) {
      if (isWantOfSpace(error)) return false;
      this.#isImpossible = true;
      rmSync(this.#path, { force: true });
      return true;
    }
  }

  shrink(bytes: number): void {
    if (this.bytes > bytes) truncateSync(this.#path, bytes);
  }

  /** Whether the system refuses a few bytes for want of space. */
  isRefused(): boolean {
    const before = this.bytes;
    try {
      this.#append(before + PROBE_BYTES);
      return false;
    } catch (error) {
      return isWantOfSpace(error);
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
