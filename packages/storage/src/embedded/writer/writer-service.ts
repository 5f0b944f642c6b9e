import { dirname } from 'node:path';
import { type MessagePort, receiveMessageOnPort, type Transferable } from 'node:worker_threads';
import { openConnection, type Query, query } from '../database/sqlite.ts';
import { storeFiles } from '../files/store-files.ts';
import { FileGuard } from '../integrity/file-guard.ts';
import { OVERHEAD_BYTES, SpaceReserve } from '../space/space-reserve.ts';
import type { EncodedBatch, Progress, Reply, Request, WriterSettings } from './protocol.ts';
import { Writer } from './writer.ts';

const CACHE_BYTES = 16 * 1024 * 1024;

/** How often the size of the log is measured until it reaches its limit. */
const MEASUREMENTS = 8;

/** A request, and the port to which its reply is sent. */
interface PortRequest<T = Request> {
  readonly port: MessagePort;
  readonly request: T;
}

/**
 * The writer thread's side of the protocol: answers the requests of each port in order until `close`. The batches that wait on
 * all ports are one transaction. Steps of compaction run when no request is pending, at most one between two requests;
 * checkpoints run after an answer was sent.
 */
export class WriterService {
  /** The port of the thread that has opened the store. */
  readonly #owner: MessagePort;
  /** The ports of the other threads. */
  readonly #others = new Set<MessagePort>();
  readonly #setLogLimit: (bytes: number) => Query;
  readonly #checkpointBytes: number;
  readonly #space: SpaceReserve;
  readonly #guard: FileGuard;
  readonly #writer: Writer;
  #reportedFull: boolean | undefined;
  #wasScarce: boolean | undefined;
  /** Approximate bytes written since the size of the log was measured. */
  #written = 0;
  #nextSweep: NodeJS.Immediate | undefined;

  constructor(port: MessagePort, settings: WriterSettings) {
    const files = storeFiles(dirname(settings.path));
    const db = openConnection(settings.path, CACHE_BYTES);
    this.#owner = port;
    this.#setLogLimit = (bytes) => query(db, `PRAGMA journal_size_limit = ${Math.ceil(bytes)}`);
    this.#checkpointBytes = settings.checkpointBytes;
    this.#space = new SpaceReserve(files, db, settings);
    this.#guard = new FileGuard(files, db);
    this.#writer = new Writer(db, this.#guard, this.#space);
  }

  start(): void {
    const problem = this.#writer.begin();
    this.#owner.on('message', (request: Request) => this.#handle(this.#owner, request));
    this.#reply(this.#owner, { type: 'ready', rev: this.#writer.rev });
    this.#warn(problem);
    this.#maintain();
  }

  #handle(port: MessagePort, request: Request): void {
    this.#written += OVERHEAD_BYTES;
    let later: readonly PortRequest[] = [];
    switch (request.type) {
      case 'batch':
        later = this.#commit({ port, request });
        break;
      case 'expire':
        this.#expire(port, request);
        break;
      case 'compact':
        this.#reply(port, this.#writer.compact(request.through));
        break;
      case 'checkSpace':
        this.#writer.checkSpace();
        this.#reply(port, { type: 'done' });
        break;
      case 'connect':
        this.#connect(request.port);
        break;
      case 'leave':
        this.#reply(port, { type: 'done' });
        port.close();
        break;
      case 'close':
        clearImmediate(this.#nextSweep);
        this.#warn(this.#writer.close());
        this.#reply(port, { type: 'done' });
        for (const other of this.#others) other.close();
        port.close();
        return;
    }
    this.#maintain();
    for (const next of later) this.#handle(next.port, next.request);
  }

  #connect(port: MessagePort): void {
    this.#others.add(port);
    port.on('message', (request: Request) => this.#handle(port, request));
    port.on('close', () => this.#others.delete(port));
    this.#reply(port, { type: 'ready', rev: this.#writer.rev });
    if (this.#reportedFull === true) this.#reply(port, { type: 'space', isFull: true });
  }

  /**
   * Commits the batch together with those that wait on the other ports: each thread has at most one. Returns other requests that
   * were waiting.
   */
  #commit(first: PortRequest<EncodedBatch>): readonly PortRequest[] {
    const batches = [first];
    const later: PortRequest[] = [];
    for (const port of this.#ports()) {
      if (port === first.port) continue;
      const request: Request | undefined = receiveMessageOnPort(port)?.message;
      if (request?.type === 'batch') batches.push({ port, request });
      else if (request !== undefined) later.push({ port, request });
    }
    const replies = this.#writer.commit(batches.map(({ request }) => request));
    for (const [i, reply] of replies.entries()) {
      const batch = batches[i];
      const transfer = reply.type === 'committed' ? [reply.results.buffer] : undefined;
      if (batch !== undefined) this.#reply(batch.port, reply, transfer);
    }
    const [reply] = replies;
    if (reply?.type === 'committed') this.#announce(reply, new Set(batches.map(({ port }) => port)));
    for (const { request } of batches) this.#written += request.bytes.length;
    return later;
  }

  #expire(port: MessagePort, { now, limit }: Extract<Request, { type: 'expire' }>): void {
    const reply = this.#writer.expire(now, limit);
    this.#reply(port, reply);
    if (reply.type === 'expired' && reply.keys.length > 0)
      this.#announce({ rev: this.#writer.rev, expires: undefined }, new Set([port]));
  }

  /** Tells the threads about a transaction that was not theirs. */
  #announce({ rev, expires }: Progress, told: ReadonlySet<MessagePort>): void {
    for (const port of this.#ports())
      if (!told.has(port)) this.#reply(port, { type: 'reached', rev, expires });
  }

  *#ports(): Iterable<MessagePort> {
    yield this.#owner;
    yield* this.#others;
  }

  /** Checkpoints, reports the state of the disk and schedules compaction; called after every answer. */
  #maintain(): void {
    const { isFull } = this.#space;
    if (isFull && this.#reportedFull !== true) this.#warn(this.#writer.checkpoint());
    this.#checkpointWhenDue();
    this.#warn(this.#guard.takeWarning());
    if (this.#space.isFull !== this.#reportedFull) {
      this.#reportedFull = this.#space.isFull;
      for (const port of this.#ports()) this.#reply(port, { type: 'space', isFull: this.#reportedFull });
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
    if (this.#nextSweep !== undefined || !this.#writer.sweepPending) return;
    this.#nextSweep = setImmediate(() => {
      this.#nextSweep = undefined;
      this.#written += OVERHEAD_BYTES;
      // After a failure the next request retries.
      if (!this.#warn(this.#writer.sweep())) return;
      if (!this.#writer.sweepPending) this.#writer.checkSpace();
      this.#maintain();
    });
  }

  /** Reports an error message; returns true when there is none. */
  #warn(message: string | undefined): boolean {
    if (message !== undefined) this.#reply(this.#owner, { type: 'warning', message });
    return message === undefined;
  }

  #reply(port: MessagePort, message: Reply, transfer?: Transferable[]): void {
    port.postMessage(message, transfer);
  }
}
