import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Logger } from '@orch/machinery';

/** What the names of packed files end with. */
export const PACKED = '.gz';
/** What those end with that are being packed. */
export const UNFINISHED = '.gz.part';

/**
 * Packs files beside everything else, one at a time. A packed file takes the place of the file when it is complete: what
 * breaks off leaves the file as it was, and is begun anew by the next run.
 */
export class Packer {
  readonly #log: Logger;
  readonly #waiting: string[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A file that waits already, or is being packed, is packed once. */
  pack(path: string): void {
    if (this.#stop.signal.aborted || this.#waiting.includes(path)) return;
    this.#waiting.push(path);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing touches files any more; what is not packed stays as it is. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Resolves when everything that waits is packed. */
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
      // It may have become too old meanwhile, or the server ends.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone && !this.#stop.signal.aborted)
        this.#log.warn('an old audit log could not be packed', { path, error });
    }
  }
}
