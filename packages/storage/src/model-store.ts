import type { Cancel, Clock } from '@orch/machinery';
import { type SideWrite, sideWritesOf } from './extensions/write-extensions.ts';
import type { KeyRange } from './keys.ts';
import { ModelContent } from './model-content.ts';
import { scanPages } from './scan-pages.ts';
import {
  type Committed,
  type Guard,
  type KeyValue,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from './store.ts';
import { checkGuards } from './store-values.ts';
import { type Ttls, ttlSecondsAt } from './ttls.ts';
import { AutoResetEvent, type WatchSource, watchLoop } from './watch-loop.ts';

export interface ModelStoreOptions {
  /** Decides when keys with a ttl expire. */
  readonly clock: Clock;
  /** Larger values are refused with `tooLarge`. Default 4 MiB. */
  readonly maxValueBytes?: number;
  /** About how many events one watch batch may hold; the rest stays in the history. Default 1000. */
  readonly maxBatchEvents?: number;
}

const DEFAULT_MAX_VALUE_BYTES = 4 * 1024 * 1024;
const MAX_TIMER_MS = 0x7fffffff;
const DEFAULT_PART_BYTES = 1024 * 1024;

/**
 * The contract of {@link Store} in memory, nothing durable: the reference for the conformance suite, and the store of
 * tests. A commit takes effect during the call; keys that expire at the same time are deleted in one revision.
 */
export class ModelStore implements Store {
  readonly #clock: Clock;
  readonly #maxValueBytes: number;
  readonly #maxBatchEvents: number;
  readonly #watches = new Set<AutoResetEvent>();
  #content: ModelContent;
  #closed = false;
  #cancelTimer: Cancel | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(options: ModelStoreOptions, content: ModelContent = new ModelContent()) {
    this.#content = content;
    this.#clock = options.clock;
    this.#maxValueBytes = options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES;
    this.#maxBatchEvents = options.maxBatchEvents ?? 1000;
  }

  async get(key: string, signal: AbortSignal): Promise<{ readonly rev: Revision; readonly kv?: KeyValue }> {
    this.#enter(signal);
    const kv = this.#content.history.read(key, this.#content.rev);
    return kv === undefined ? { rev: this.#content.rev } : { rev: this.#content.rev, kv };
  }

  async list(
    range: KeyRange,
    options: { readonly at?: Revision; readonly limit?: number; readonly byteBudget?: number },
    signal: AbortSignal,
  ): Promise<Page> {
    this.#enter(signal);
    const at = options.at ?? this.#content.rev;
    this.#checkHistory(at);
    if (at > this.#content.rev)
      throw new StoreError('futureRevision', `the store is at revision ${this.#content.rev}, before ${at}`);
    const { limit = Number.POSITIVE_INFINITY, byteBudget = Number.POSITIVE_INFINITY } = options;
    const items: KeyValue[] = [];
    let count = 0;
    let bytes = 0;
    let full = false;
    for (const kv of this.#content.history.scan(range, at)) {
      count++;
      bytes += Buffer.byteLength(kv.key) + kv.value.length;
      full ||= items.length > 0 && (items.length >= limit || bytes > byteBudget);
      if (!full) items.push(kv);
    }
    return { rev: at, items, more: items.length < count, count };
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    const { byteBudget = DEFAULT_PART_BYTES } = options;
    let ttls: Ttls | undefined;
    return scanPages(range, options.at, async (rest, at) => {
      if (options.withTtl === true && at === undefined) ttls = this.#ttls();
      const page = await this.list(rest, at === undefined ? { byteBudget } : { byteBudget, at }, signal);
      return { ...page, ttls };
    });
  }

  async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    this.#enter(signal);
    if (write.op !== 'delete' && write.value.length > this.#maxValueBytes) {
      throw new StoreError(
        'tooLarge',
        `a value of ${write.value.length} bytes exceeds ${this.#maxValueBytes}`,
      );
    }
    checkGuards(write);
    const current = this.#content.history.read(write.key, this.#content.rev);
    const expected = write.op === 'create' ? undefined : write.expected;
    const isExpected = current?.modRevision === expected;
    const holds = ({ key, revision }: Guard): boolean =>
      this.#content.history.read(key, this.#content.rev)?.modRevision === revision;
    if (!isExpected || write.guards?.every(holds) === false) {
      const heldGuards = write.guards?.filter(holds).map(({ key }) => key);
      const failed = {
        ok: false,
        rev: this.#content.rev,
        ...(heldGuards === undefined ? {} : { heldGuards }),
      } as const;
      if (isExpected) return { ...failed, guardFailed: true };
      return current === undefined ? failed : { ...failed, current };
    }
    this.#apply(write, ++this.#content.rev, current);
    for (const side of sideWritesOf(write) ?? []) this.#applySide(side, this.#content.rev);
    this.#content.notify();
    return current === undefined
      ? { ok: true, rev: this.#content.rev }
      : { ok: true, rev: this.#content.rev, prev: current };
  }

  async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const changed = new AutoResetEvent();
    this.#watches.add(changed);
    this.#content.watches.add(changed);
    const source: WatchSource = {
      changed,
      revision: (position) => {
        if (this.#closed) throw closedError();
        this.#checkHistory(position);
        return this.#content.rev;
      },
      read: (position) =>
        this.#content.history.events(range, position, this.#content.rev, this.#maxBatchEvents),
    };
    try {
      yield* watchLoop(source, after, signal);
    } finally {
      this.#watches.delete(changed);
      this.#content.watches.delete(changed);
    }
  }

  async currentRevision(signal: AbortSignal): Promise<Revision> {
    this.#enter(signal);
    return this.#content.rev;
  }

  async compact(through: Revision, signal: AbortSignal): Promise<void> {
    this.#enter(signal);
    if (through > this.#content.rev) {
      throw new StoreError(
        'futureRevision',
        `the store is at revision ${this.#content.rev}, before ${through}`,
      );
    }
    if (through <= this.#content.compacted) return;
    this.#content.compacted = through;
    this.#content.history.compact(through);
  }

  async size(signal: AbortSignal): Promise<{ readonly bytes: number }> {
    this.#enter(signal);
    return { bytes: this.#content.history.bytes };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    for (const changed of this.#watches) changed.set();
  }

  /** The keys and their versions; several stores may have the same content, of which one writes. */
  protected get content(): ModelContent {
    return this.#content;
  }

  /** Continues with a content that has the same history: watches go on from their revision. */
  protected continueWith(content: ModelContent): void {
    for (const changed of this.#watches) {
      this.#content.watches.delete(changed);
      content.watches.add(changed);
    }
    this.#content = content;
    this.#expire();
  }

  /** For tests: increases the revision by `count` without an event, as writers of other keys do in a shared store. */
  skipRevisions(count: number): Revision {
    this.#content.rev += count;
    this.#content.notify();
    return this.#content.rev;
  }

  /** For tests: applies writes without checking their expectations, all in one revision, and returns it. */
  commitTogether(writes: readonly Write[]): Revision {
    const rev = ++this.#content.rev;
    for (const write of writes) this.#apply(write, rev, this.#content.history.read(write.key, rev - 1));
    this.#content.notify();
    return rev;
  }

  #ttls(): Ttls {
    const now = this.#clock.now();
    return new Map([...this.#content.expiry].map(([key, at]) => [key, ttlSecondsAt(now, at)]));
  }

  #apply(write: Write, rev: Revision, current: KeyValue | undefined): void {
    const { key } = write;
    if (write.op === 'delete') {
      this.#content.append({ rev, key });
      return;
    }
    const { ttlSeconds } = write;
    const expiresAt = ttlSeconds === undefined ? undefined : this.#clock.now() + ttlSeconds * 1000;
    if (expiresAt !== undefined) this.#expireAt(expiresAt);
    const createRevision = current?.createRevision ?? rev;
    // The caller keeps its buffer and may change it.
    const kv = { key, value: Buffer.from(write.value), createRevision, modRevision: rev };
    this.#content.append({ rev, key, kv }, expiresAt);
  }

  #applySide({ key, value }: SideWrite, rev: Revision): void {
    const current = this.#content.history.read(key, rev);
    if (value !== undefined) this.#apply({ op: 'create', key, value }, rev, current);
    else if (current !== undefined)
      this.#apply({ op: 'delete', key, expected: current.modRevision }, rev, current);
  }

  /** Schedules the timer to fire no later than `at`. It may fire early and then deletes nothing. */
  #expireAt(at: number): void {
    if (at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    const delayMs = Math.min(Math.max(at - this.#clock.now(), 0), MAX_TIMER_MS);
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#expire());
  }

  #expire(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    const due = [...this.#content.expiry].filter(([, at]) => at <= now).map(([key]) => key);
    if (due.length > 0) this.#content.rev++;
    for (const key of due) this.#content.append({ rev: this.#content.rev, key });
    let next = Number.POSITIVE_INFINITY;
    for (const at of this.#content.expiry.values()) next = Math.min(next, at);
    if (next < Number.POSITIVE_INFINITY) this.#expireAt(next);
    this.#content.notify();
  }

  #enter(signal: AbortSignal): void {
    if (this.#closed) throw closedError();
    signal.throwIfAborted();
  }

  #checkHistory(rev: Revision): void {
    if (rev >= this.#content.compacted) return;
    throw new StoreError(
      'compacted',
      `history before revision ${this.#content.compacted} was compacted; requested ${rev}`,
      {
        compactRevision: this.#content.compacted,
      },
    );
  }
}

function closedError(): StoreError {
  return new StoreError('closed', 'the store was closed');
}
