import { stat } from 'node:fs/promises';
import { type Clock, type Logger, messageOf } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import type { KeyRange } from '../keys.ts';
import { scanPages } from '../scan-pages.ts';
import {
  type Committed,
  type KeyValue,
  type KvEvent,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from '../store.ts';
import { checkGuards } from '../store-values.ts';
import { type Ttls, ttlSecondsAt } from '../ttls.ts';
import { type WatchSource, watchLoop } from '../watch-loop.ts';
import { CommitQueue } from './commit-queue.ts';
import { compactedError, type Reader } from './database/reader.ts';
import { FULL_MESSAGE, storeErrorOf } from './database/sqlite.ts';
import { ExpiryTimer } from './expiry-timer.ts';
import { removeLog, type StoreFiles } from './files/store-files.ts';
import { readMark } from './integrity/high-water-mark.ts';
import { SpaceState } from './space/space-state.ts';
import { type Cursor, WatchHub } from './watch-hub.ts';
import type { TimedWrite } from './writer/batch-codec.ts';
import type { WriterSettings } from './writer/protocol.ts';
import { WriterSupervisor } from './writer/writer-client.ts';

/** The parts of an open embedded store. */
export interface EmbeddedParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly files: StoreFiles;
  readonly reader: Reader;
  readonly writerUrl: URL;
  readonly settings: WriterSettings;
  readonly maxValueBytes: number;
  readonly maxQueuedBytes: number;
  /** Unlocks the directory for other processes. */
  readonly release: () => void;
}

/** Maximum number of keys expired in one transaction. */
const EXPIRE_LIMIT = 500;

/** Default size of a part of a scan. */
const PART_BYTES = 1024 * 1024;

/** Delay before a failed expiry is retried. */
const EXPIRE_RETRY_MS = 1000;

/** The store over one SQLite database: reads on this thread, batches of writes on a writer thread. */
export class EmbeddedStore implements Store {
  readonly #parts: EmbeddedParts;
  readonly #reader: Reader;
  readonly #hub: WatchHub;
  readonly #queue: CommitQueue;
  readonly #expiry: ExpiryTimer;
  readonly #writer: WriterSupervisor;
  readonly #space: SpaceState;
  #compacted: Revision;
  /** The newest revision that a response has shown: reads may see commits shortly before they are acknowledged. */
  #seen: Revision;
  #closing: Promise<void> | undefined;

  constructor(parts: EmbeddedParts) {
    this.#parts = parts;
    this.#reader = parts.reader;
    const { rev, compacted } = parts.reader.state();
    this.#compacted = compacted;
    this.#seen = Math.max(rev, compacted, 1);
    this.#hub = new WatchHub(this.#seen);
    this.#expiry = new ExpiryTimer(parts.clock, () => void this.#expire());
    const { clock, log, settings, maxQueuedBytes } = parts;
    const ready = (reached: Revision) => this.#reached(reached);
    this.#space = new SpaceState({ clock, log, makeRoom: () => this.#makeRoom() });
    const space = (isFull: boolean) => this.#space.changed(isFull);
    this.#writer = new WriterSupervisor({ clock, log, url: parts.writerUrl, settings, ready, space });
    this.#queue = new CommitQueue({
      clock,
      maxQueuedBytes,
      send: (request, transfer) => this.#writer.send(request, transfer),
      committed: (events, writes) => this.#committed(events, writes),
    });
  }

  async get(key: string, signal: AbortSignal): Promise<{ readonly rev: Revision; readonly kv?: KeyValue }> {
    this.#enter(signal);
    const { rev: last, kv } = this.#read('get', () => this.#reader.get(key));
    const rev = this.#saw(last);
    return kv === undefined ? { rev } : { rev, kv };
  }

  async list(
    range: KeyRange,
    options: { readonly at?: Revision; readonly limit?: number; readonly byteBudget?: number },
    signal: AbortSignal,
  ): Promise<Page> {
    this.#enter(signal);
    const { at } = options;
    if (at === undefined) {
      const page = this.#read('list', () => this.#reader.page(range, options, this.#seen));
      this.#saw(page.rev);
      return page;
    }
    return this.#readPast(at, 'list', () => this.#reader.pageAt(range, { ...options, at }, signal));
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    const { byteBudget = PART_BYTES, withTtl = false } = options;
    let ttls: Ttls | undefined;
    return scanPages(range, options.at, async (rest, at) => {
      this.#enter(signal);
      const part =
        at === undefined
          ? this.#read('scan', () => this.#reader.part(rest, { byteBudget, withExpiry: withTtl }, this.#seen))
          : await this.#readPast(at, 'scan', () => this.#reader.partAt(rest, { byteBudget, at }, signal));
      this.#saw(part.rev);
      if (part.expiry !== undefined) ttls = this.#ttlsOf(part.expiry);
      return { ...part, ttls };
    });
  }

  async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    this.#enter(signal);
    checkGuards(write);
    const { maxValueBytes, clock } = this.#parts;
    if (write.op === 'delete') return this.#queue.push(write, undefined, signal);
    if (write.value.length > maxValueBytes) {
      throw new StoreError('tooLarge', `a value of ${write.value.length} bytes exceeds ${maxValueBytes}`);
    }
    const { ttlSeconds } = write;
    const expires = ttlSeconds === undefined ? undefined : Math.ceil(clock.now() + ttlSeconds * 1000);
    return this.#queue.push(write, expires, signal);
  }

  async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    if (signal.aborted) return;
    if (this.#closing !== undefined) throw closedError();
    if (after < this.#compacted) throw compactedError(after, this.#compacted);
    const cursor = this.#hub.register(after);
    const source: WatchSource = {
      changed: cursor.changed,
      revision: () => {
        if (this.#closing !== undefined) throw closedError();
        return this.#hub.rev;
      },
      read: (position) => {
        const recent = this.#hub.since(position, range);
        if (recent === undefined) return this.#catchUp(range, cursor);
        cursor.position = recent.rev;
        return recent;
      },
    };
    try {
      yield* watchLoop(source, after, signal);
    } finally {
      this.#hub.unregister(cursor);
    }
  }

  async currentRevision(signal: AbortSignal): Promise<Revision> {
    this.#enter(signal);
    return this.#seen;
  }

  async compact(through: Revision, signal: AbortSignal): Promise<void> {
    this.#enter(signal);
    this.#checkReached(through);
    if (through <= this.#compacted) return;
    await abortable(this.#writer.send({ type: 'compact', through }), signal);
    this.#compacted = Math.max(this.#compacted, through);
  }

  async size(signal: AbortSignal): Promise<{ readonly bytes: number; readonly full?: string }> {
    this.#enter(signal);
    const { database, wal } = this.#parts.files;
    const sizes = [database, wal].map(async (file) => (await stat(file).catch(() => ({ size: 0 }))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return this.#space.isFull ? { bytes, full: FULL_MESSAGE } : { bytes };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#expiry.stop();
    this.#space.stop();
    this.#queue.rejectQueued(closedError());
    this.#hub.wakeAll();
    // While the reader is open, SQLite does not checkpoint by itself when the writer's thread ends.
    await this.#writer.close();
    this.#reader.close();
    const { files, release } = this.#parts;
    const mark = readMark(files.mark);
    if (typeof mark === 'object' && mark.state === 'clean') removeLog(files);
    release();
  }

  /** Compacts all history of a full store. */
  async #makeRoom(): Promise<void> {
    try {
      const through = this.#seen;
      if (through > this.#compacted) await this.compact(through, new AbortController().signal);
      await this.#writer.send({ type: 'checkSpace' });
    } catch (error) {
      if (this.#closing === undefined) this.#warn('making room', error);
    }
  }

  /**
   * After a restart of the writer, commits may be durable that were not acknowledged: watches read them from the log.
   */
  #reached(rev: Revision): void {
    this.#saw(rev);
    this.#hub.skipTo(rev);
    try {
      this.#expiry.noLaterThan(this.#reader.nextExpiry());
    } catch (error) {
      this.#warn('looking for keys to expire', error);
    }
  }

  #committed(events: readonly KvEvent[], writes: readonly TimedWrite[]): void {
    this.#hub.publish(events);
    this.#saw(this.#hub.rev);
    for (const { expires } of writes) this.#expiry.noLaterThan(expires);
  }

  async #expire(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      const answer = await this.#writer.send({ type: 'expire', now, limit: EXPIRE_LIMIT });
      if (answer.type !== 'expired') return;
      const { keys, firstRev, next } = answer;
      this.#committed(
        keys.map((key, i) => ({ type: 'delete', key, modRevision: firstRev + i })),
        [],
      );
      this.#expiry.noLaterThan(next);
    } catch (error) {
      if (this.#closing !== undefined) return;
      this.#warn('expiring keys', error);
      this.#expiry.noLaterThan(now + EXPIRE_RETRY_MS);
    }
  }

  #ttlsOf(expiry: ReadonlyMap<string, number>): Ttls {
    const now = this.#parts.clock.now();
    return new Map([...expiry].map(([key, at]) => [key, ttlSecondsAt(now, at)]));
  }

  /** Reads the next events from the log. */
  async #catchUp(range: KeyRange, cursor: Cursor): Promise<WatchBatch> {
    // Other work runs between two batches of a watch that is far behind.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#closing !== undefined) throw closedError();
    const batch = this.#read('watch', () => this.#reader.tail(range, cursor.position, this.#hub.rev));
    cursor.position = batch.rev;
    return batch;
  }

  #saw(rev: Revision): Revision {
    if (rev > this.#seen) this.#seen = rev;
    return this.#seen;
  }

  #checkReached(rev: Revision): void {
    if (rev <= this.#seen) return;
    throw new StoreError('futureRevision', `the store is at revision ${this.#seen}, before ${rev}`);
  }

  async #readPast<T>(at: Revision, doing: string, read: () => Promise<T>): Promise<T> {
    this.#checkReached(at);
    if (at < this.#compacted) throw compactedError(at, this.#compacted);
    try {
      return await read();
    } catch (error) {
      throw this.#closing === undefined ? storeErrorOf(error, doing) : closedError();
    }
  }

  #read<T>(doing: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw storeErrorOf(error, doing);
    }
  }

  #enter(signal: AbortSignal): void {
    if (this.#closing !== undefined) throw closedError();
    signal.throwIfAborted();
  }

  #warn(doing: string, error: unknown): void {
    const message = messageOf(error);
    this.#parts.log.warn('embedded store', { doing, message });
  }
}

function closedError(): StoreError {
  return new StoreError('closed', 'the store was closed');
}
