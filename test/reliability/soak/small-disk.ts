import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** More than etcd needs between two compactions, with two segments of its log that it allocates ahead. */
const SIZE_MIB = 768;
const CHUNK_BYTES = 1024 * 1024;

/** A file system of its own for one folder, which a fault can fill. */
export class SmallDisk implements Disposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Mounts it at the folder; undefined where this process may not mount. */
  static mount(folder: string): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true });
    const options = `size=${SIZE_MIB}m,mode=700`;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'orch-soak', folder], { stdio: 'ignore' });
      return new SmallDisk(folder);
    } catch {
      return undefined;
    }
  }

  /** Writes a file until the disk has no space left. */
  fill(): void {
    const descriptor = openSync(this.#ballast, 'a');
    try {
      for (let size = CHUNK_BYTES; size >= 1; ) {
        try {
          writeSync(descriptor, Buffer.alloc(size, 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  get #ballast(): string {
    return join(this.#folder, 'ballast');
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.#folder], { stdio: 'ignore' });
  }
}
