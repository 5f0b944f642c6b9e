import { dirname } from 'node:path';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { openConnection, type Query, query } from '../database/sqlite.ts';
import { storeFiles } from '../files/store-files.ts';
import { FileGuard } from '../integrity/file-guard.ts';
import { OVERHEAD_BYTES, SpaceReserve } from '../space/space-reserve.ts';
import type { Reply, Request, WriterSettings } from './protocol.ts';
import { Writer } from './writer.ts';

const CACHE_BYTES = 16 * 1024 * 1024;

/** How often the size of the log is measured until it reaches its limit. */
const MEASUREMENTS = 8;

/**
 * The writer thread's side of the protocol: answers requests in order until `close`. Steps of compaction run when no
 * request is pending, at most one between two requests; checkpoints run after an answer was sent.
 */
export class WriterService {
  readonly #port: MessagePort;
  readonly #setLogLimit: (bytes: number) => Query;
  readonly #checkpointBytes: number;
  readonly #space: SpaceReserve;
  readonly #guard: FileGuard;
  readonly #writer: Writer;
  #reportedFull: boolean | undefined;
  #wasScarce: boolean | undefined;
  /** Approximate bytes written since the size of the log was measured. */
  #written = 0;
  #isSweepScheduled = false;

  constructor(port: MessagePort, settings: WriterSettings) {
    const files = storeFiles(dirname(settings.path));
    const db = openConnection(settings.path, CACHE_BYTES);
    this.#port = port;
    this.#setLogLimit = (bytes) => query(db, `PRAGMA journal_size_limit = ${Math.ceil(bytes)}`);
    this.#checkpointBytes = settings.checkpointBytes;
    this.#space = new SpaceReserve(files, db, settings);
    this.#guard = new FileGuard(files, db);
    this.#writer = new Writer(db, this.#guard, this.#space);
  }

  start(): void {
    const problem = this.#writer.begin();
    this.#port.on('message', (request: Request) => this.#handle(request));
    this.#reply({ type: 'ready', rev: this.#writer.rev });
    this.#warn(problem);
    this.#maintain();
  }

  #handle(request: Request): void {
    this.#written += OVERHEAD_BYTES;
    const writer = this.#writer;
    switch (request.type) {
      case 'batch': {
        const answer = writer.batch(request.meta, request.bytes);
        this.#reply(answer, answer.type === 'committed' ? [answer.results.buffer] : undefined);
        this.#written += request.bytes.length;
        break;
      }
      case 'expire':
        this.#reply(writer.expire(request.now, request.limit));
        break;
      case 'compact':
        this.#reply(writer.compact(request.through));
        break;
      case 'checkSpace':
        writer.checkSpace();
        this.#reply({ type: 'done' });
        break;
      case 'close':
        this.#warn(writer.close());
        this.#reply({ type: 'done' });
        this.#port.close();
        return;
    }
    this.#maintain();
  }

  /** Checkpoints, reports the state of the disk and schedules compaction; called after every answer. */
  #maintain(): void {
    const { isFull } = this.#space;
    if (isFull && this.#reportedFull !== true) this.#warn(this.#writer.checkpoint());
    this.#checkpointWhenDue();
    this.#warn(this.#guard.takeWarning());
    if (this.#space.isFull !== this.#reportedFull) {
      this.#reportedFull = this.#space.isFull;
      this.#reply({ type: 'space', isFull: this.#reportedFull });
    }
    this.#sweepLater();
  }

  #checkpointWhenDue(): void {
    if (this.#space.isScarce !== this.#wasScarce) this.#limitFile();
    const limit = this.#logLimit();
    if (this.#written < limit / MEASUREMENTS) return;
    this.#written = 0;
    if (this.#guard.logBytes() >= limit || this.#space.isLogDue) this.#warn(this.#writer.checkpoint());
  }

  /** SQLite truncates the file to this size when it restarts the log. */
  #limitFile(): void {
    this.#wasScarce = this.#space.isScarce;
    this.#setLogLimit(this.#wasScarce ? this.#space.logBytes : 1.25 * this.#logLimit()).get();
  }

  #logLimit(): number {
    return Math.min(this.#checkpointBytes, this.#space.logLimit);
  }

  #sweepLater(): void {
    if (this.#isSweepScheduled || !this.#writer.sweepPending) return;
    this.#isSweepScheduled = true;
    setImmediate(() => {
      this.#isSweepScheduled = false;
      this.#written += OVERHEAD_BYTES;
      // After a failure the next request retries.
      if (!this.#warn(this.#writer.sweep())) return;
      if (!this.#writer.sweepPending) this.#writer.checkSpace();
      this.#maintain();
    });
  }

  /** Reports an error message; returns true when there is none. */
  #warn(message: string | undefined): boolean {
    if (message !== undefined) this.#reply({ type: 'warning', message });
    return message === undefined;
  }

  #reply(message: Reply, transfer?: Transferable[]): void {
    this.#port.postMessage(message, transfer);
  }
}
