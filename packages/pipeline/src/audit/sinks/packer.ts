import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Logger } from '@orch/machinery';

/** Suffix of compressed files. */
export const PACKED = '.gz';
/** Suffix of incomplete compressed files. */
export const UNFINISHED = '.gz.part';

/**
 * Compresses files in the background, one at a time. A compressed file replaces the original when it is complete: an
 * interruption leaves the original, and the next run compresses it again.
 */
export class Packer {
  readonly #log: Logger;
  readonly #waiting: string[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Enqueues a file, unless it is queued or being compressed. */
  pack(path: string): void {
    if (this.#stop.signal.aborted || this.#waiting.includes(path)) return;
    this.#waiting.push(path);
    this.#running ??= this.#run();
  }

  /** Resolves when no file is being written; the rest is left uncompressed. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Resolves when all queued files are compressed. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let path = this.#waiting[0]; path !== undefined; path = this.#waiting[0]) {
      if (!this.#stop.signal.aborted) await this.#packed(path);
      this.#waiting.shift();
    }
    this.#running = undefined;
  }

  async #packed(path: string): Promise<void> {
    const unfinished = `${path}${UNFINISHED}`;
    try {
      const { signal } = this.#stop;
      await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600 }), {
        signal,
      });
      await rename(unfinished, `${path}${PACKED}`);
      await rm(path, { force: true });
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      // It may have been deleted by rotation in the meantime, or the server stops.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone && !this.#stop.signal.aborted)
        this.#log.warn('an old audit log could not be compressed', { path, error });
    }
  }
}
