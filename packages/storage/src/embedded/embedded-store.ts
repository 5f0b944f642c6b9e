import { stat } from 'node:fs/promises';
import type { Clock, Logger } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { EVERY_KEY, type KeyRange } from '../keys.ts';
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
import { checkGuards, eventRevision } from '../store-values.ts';
import { type Ttls, ttlSecondsAt } from '../ttls.ts';
import { type WatchSource, watchLoop } from '../watch-loop.ts';
import { CommitQueue } from './commit-queue.ts';
import { compactedError, type Reader } from './database/reader.ts';
import { FULL_MESSAGE, storeErrorOf } from './database/sqlite.ts';
import { removeLog, type StoreFiles } from './files/store-files.ts';
import { readMark } from './integrity/high-water-mark.ts';
import type { SharedRevisions } from './shared-revisions.ts';
import { Upkeep } from './upkeep.ts';
import { type Cursor, WatchHub } from './watch-hub.ts';
import type { Progress } from './writer/protocol.ts';
import type { RequestEvents, WriterLink } from './writer/sent-requests.ts';

/** The parts of an open embedded store. */
export interface EmbeddedParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly files: StoreFiles;
  readonly reader: Reader;
  readonly revisions: SharedRevisions;
  /** Starts the writer thread, or connects to it. */
  readonly writer: (events: RequestEvents) => WriterLink;
  readonly maxValueBytes: number;
  readonly maxQueuedBytes: number;
  /** Unlocks the directory for other processes. Undefined in a thread that has not opened the store. */
  readonly release: (() => void) | undefined;
}

/** Default size of a part of a scan. */
const PART_BYTES = 1024 * 1024;

/**
 * The store over one SQLite database: reads on this thread, batches of writes on a writer thread. One thread opens it and is
 * responsible for its files, and others may connect to it.
 */
export class EmbeddedStore implements Store {
  readonly #parts: EmbeddedParts;
  readonly #reader: Reader;
  readonly #revisions: SharedRevisions;
  readonly #hub: WatchHub;
  readonly #queue: CommitQueue;
  readonly #writer: WriterLink;
  readonly #upkeep: Upkeep | undefined;
  #isFull = false;
  #closing: Promise<void> | undefined;

  constructor(parts: EmbeddedParts) {
    const { reader, clock, log, revisions, maxQueuedBytes } = parts;
    this.#parts = parts;
    this.#reader = reader;
    this.#revisions = revisions;
    const { rev, compacted } = reader.state();
    revisions.compact(compacted);
    this.#hub = new WatchHub(revisions.saw(Math.max(rev, compacted, 1)));
    this.#writer = parts.writer({
      reached: (progress) => this.#reached(progress),
      space: (isFull) => {
        this.#isFull = isFull;
        this.#upkeep?.spaceChanged(isFull);
      },
    });
    const expired = (events: readonly KvEvent[]): void => this.#publish(events);
    const compact = (): Promise<void> => this.compact(revisions.seen, new AbortController().signal);
    if (parts.release !== undefined)
      this.#upkeep = new Upkeep({ clock, log, reader, writer: this.#writer, expired, compact });
    this.#queue = new CommitQueue({
      clock,
      maxQueuedBytes,
      send: (request, transfer) => this.#writer.send(request, transfer),
      committed: (events, progress) => {
        this.#publish(events);
        this.#reached({ ...progress, isOpened: false });
      },
    });
  }

  async get(key: string, signal: AbortSignal): Promise<{ readonly rev: Revision; readonly kv?: KeyValue }> {
    this.#enter(signal);
    const { rev: last, kv } = this.#read('get', () => this.#reader.get(key));
    const rev = this.#revisions.saw(last);
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
      const page = this.#read('list', () => this.#reader.page(range, options, this.#revisions.seen));
      this.#revisions.saw(page.rev);
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
          ? this.#read('scan', () =>
              this.#reader.part(rest, { byteBudget, withExpiry: withTtl }, this.#revisions.seen),
            )
          : await this.#readPast(at, 'scan', () => this.#reader.partAt(rest, { byteBudget, at }, signal));
      this.#revisions.saw(part.rev);
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
    this.#checkHistory(after);
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
    return this.#revisions.seen;
  }

  async compact(through: Revision, signal: AbortSignal): Promise<void> {
    this.#enter(signal);
    this.#checkReached(through);
    if (through <= this.#revisions.compacted) return;
    await abortable(this.#writer.send({ type: 'compact', through }), signal);
    this.#revisions.compact(through);
  }

  async size(signal: AbortSignal): Promise<{ readonly bytes: number; readonly full?: string }> {
    this.#enter(signal);
    const { database, wal } = this.#parts.files;
    const sizes = [database, wal].map(async (file) => (await stat(file).catch(() => ({ size: 0 }))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return this.#isFull ? { bytes, full: FULL_MESSAGE } : { bytes };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#upkeep?.stop();
    this.#queue.rejectQueued(closedError());
    this.#hub.wakeAll();
    // While the reader is open, SQLite does not checkpoint by itself when the writer's thread ends.
    await this.#writer.close();
    this.#reader.close();
    const { files, release } = this.#parts;
    if (release === undefined) return;
    const mark = readMark(files.mark);
    if (typeof mark === 'object' && mark.state === 'clean') removeLog(files);
    release();
  }

  /**
   * The store has reached a revision: by commits of this thread or of others, or of a writer before it was restarted, which may be
   * durable without an acknowledgement.
   */
  #reached({ rev, expires, isOpened }: Progress & { readonly isOpened: boolean }): void {
    this.#revisions.saw(rev);
    this.#follow(rev);
    if (isOpened) this.#upkeep?.opened();
    if (expires !== undefined) this.#upkeep?.expiresAt(expires);
  }

  /** Passes events to the watches, after those of other threads that come before them. */
  #publish(events: readonly KvEvent[]): void {
    const [first] = events;
    if (first === undefined) return;
    this.#follow(eventRevision(first) - 1);
    this.#hub.publish(events);
    this.#revisions.saw(this.#hub.rev);
  }

  /** Passes the events up to `rev` to the watches: one read of the log for all. */
  #follow(rev: Revision): void {
    if (rev <= this.#hub.rev) return;
    const read = this.#hub.isWatched ? this.#tailOf(rev) : undefined;
    if (read?.rev === rev) this.#hub.publishLog(read);
    else this.#hub.skipTo(rev);
  }

  /** Undefined when the log cannot be read: each watch then reads it, and reports the error. */
  #tailOf(rev: Revision): WatchBatch | undefined {
    try {
      return this.#reader.tail(EVERY_KEY, this.#hub.rev, rev);
    } catch {
      return undefined;
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

  #checkHistory(rev: Revision): void {
    const { compacted } = this.#revisions;
    if (rev < compacted) throw compactedError(rev, compacted);
  }

  #checkReached(rev: Revision): void {
    if (rev <= this.#revisions.seen) return;
    throw new StoreError('futureRevision', `the store is at revision ${this.#revisions.seen}, before ${rev}`);
  }

  async #readPast<T>(at: Revision, doing: string, read: () => Promise<T>): Promise<T> {
    this.#checkReached(at);
    this.#checkHistory(at);
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
}

function closedError(): StoreError {
  return new StoreError('closed', 'the store was closed');
}
