import { ForwardingStore } from '../forwarding-store.ts';
import type { KeyRange, WatchRange } from '../keys.ts';
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
import { CarriedRanges } from './carried-ranges.ts';
import { withCarriedRevisions } from './carried-value.ts';
import { ExpectedRevisions } from './expected-revisions.ts';
import { type RevisionLineage, RevisionMap } from './revision-map.ts';

/**
 * A store whose revisions are those of the store behind it plus a constant, so that revisions continue where those of
 * another store ended. Keys that were copied from that store keep the revisions that they had there. All earlier revisions
 * are compacted.
 */
export class OffsetStore extends ForwardingStore {
  readonly #revisions: RevisionMap;
  readonly #expected: ExpectedRevisions;
  readonly #carried: CarriedRanges;

  /** `prefix` is that of the keys that migrations copy. */
  constructor(inner: Store, lineage: RevisionLineage, prefix: string) {
    super(inner);
    this.#revisions = new RevisionMap(lineage, prefix);
    this.#expected = new ExpectedRevisions(inner, this.#revisions);
    this.#carried = new CarriedRanges(this.#revisions);
  }

  override async get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    const { rev, kv } = await super.get(key, signal);
    return kv === undefined ? { rev: this.#outer(rev) } : { rev: this.#outer(rev), kv: this.#moved(kv) };
  }

  override async list(
    range: KeyRange,
    options: Parameters<Store['list']>[1],
    signal: AbortSignal,
  ): Promise<Page> {
    const { at } = options;
    const inner = await this.#innerOptions(range, options, signal);
    const page = await this.#reading(at, super.list(range, inner, signal));
    if (options.keysOnly === true && !page.more && !this.#carried.isAmong(page.items))
      this.#carried.foundNone(range, page.rev);
    return { ...page, rev: this.#outer(page.rev), items: page.items.map((kv) => this.#moved(kv)) };
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    const { at } = options;
    const inner = await this.#innerOptions(range, options, signal);
    let read = { rev: 0, hasCarried: options.keysOnly !== true };
    try {
      for await (const part of super.scan(range, inner, signal)) {
        const { rev, items } = part;
        read = { rev, hasCarried: read.hasCarried || this.#carried.isAmong(items) };
        yield { ...part, rev: this.#outer(rev), items: items.map((kv) => this.#moved(kv)) };
      }
      if (!read.hasCarried) this.#carried.foundNone(range, read.rev);
    } catch (error) {
      throw this.#failure(error, at);
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const inner = this.#expected.innerWrite(write, signal);
    const committed = await super.commit(inner instanceof Promise ? await inner : inner, signal);
    const rev = this.#outer(committed.rev);
    if (committed.ok) {
      const { prev } = committed;
      return prev === undefined ? { ok: true, rev } : { ok: true, rev, prev: this.#moved(prev) };
    }
    const { current } = committed;
    return current === undefined
      ? { ...committed, rev }
      : { ...committed, rev, current: this.#moved(current) };
  }

  override async *watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    if (signal.aborted) return;
    const inner = this.#revisions.readable(after);
    if (inner === undefined) {
      // A closed store answers that it is closed.
      await super.currentRevision(signal);
      throw this.#tooOld(after, undefined);
    }
    try {
      for await (const { rev, events } of super.watch(range, inner, signal)) {
        yield { rev: this.#outer(rev), events: events.map((event) => this.#event(event)) };
      }
    } catch (error) {
      throw this.#failure(error, after);
    }
  }

  override async currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#outer(await super.currentRevision(signal));
  }

  override async compact(through: Revision, signal: AbortSignal): Promise<void> {
    const inner = this.#revisions.readable(through);
    if (inner === undefined) await super.currentRevision(signal);
    else await this.#reading(through, super.compact(inner, signal));
  }

  /** The options for the inner store; throws `compacted` for a revision before its first. */
  async #innerOptions<Options extends { readonly at?: Revision; readonly keysOnly?: boolean }>(
    range: KeyRange,
    options: Options,
    signal: AbortSignal,
  ): Promise<Options> {
    const { at, keysOnly } = options;
    const inner = at === undefined ? undefined : this.#revisions.readable(at);
    // The revisions of carried keys are in their values.
    const needsValues = keysOnly === true && this.#carried.mayHave(range, inner);
    const read = needsValues ? { ...options, keysOnly: false } : options;
    if (at === undefined) return read;
    if (inner !== undefined) return { ...read, at: inner };
    await super.currentRevision(signal);
    throw this.#tooOld(at, undefined);
  }

  #outer(rev: Revision): Revision {
    return this.#revisions.outer(rev);
  }

  #moved(kv: KeyValue): KeyValue {
    if (this.#revisions.isCarried(kv)) return withCarriedRevisions(kv);
    const createRevision = this.#outer(kv.createRevision);
    return { ...kv, createRevision, modRevision: this.#outer(kv.modRevision) };
  }

  #event(event: KvEvent): KvEvent {
    return event.type === 'put'
      ? { type: 'put', kv: this.#moved(event.kv) }
      : { ...event, modRevision: this.#outer(event.modRevision) };
  }

  async #reading<T>(at: Revision | undefined, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#failure(error, at);
    }
  }

  /** Failures about revisions name those of this store. */
  #failure(error: unknown, requested: Revision | undefined): unknown {
    if (!(error instanceof StoreError)) return error;
    if (error.code === 'compacted') return this.#tooOld(requested, error);
    if (error.code !== 'futureRevision') return error;
    return new StoreError('futureRevision', `the store has not reached revision ${requested}`, {
      cause: error,
    });
  }

  #tooOld(requested: Revision | undefined, cause: StoreError | undefined): StoreError {
    const first = Math.max(cause?.compactRevision ?? 1, this.#revisions.carriedThrough);
    const compactRevision = this.#outer(first);
    const asked = requested === undefined ? '' : `; requested ${requested}`;
    const message = `history before revision ${compactRevision} was compacted${asked}`;
    return new StoreError('compacted', message, { cause, compactRevision });
  }
}
