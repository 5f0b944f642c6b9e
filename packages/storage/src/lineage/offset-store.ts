import { ForwardingStore } from '../forwarding-store.ts';
import type { KeyRange } from '../keys.ts';
import {
  type Committed,
  type Guard,
  type Guards,
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

/** A revision that no store reaches: a precondition with it fails, as one with a revision before the offset must. */
const UNREACHED = Number.MAX_SAFE_INTEGER;

/**
 * A store whose revisions are those of the store behind it plus a constant, so that revisions continue where those of
 * another store ended. All revisions up to the offset are compacted: they were of the other store.
 */
export class OffsetStore extends ForwardingStore {
  readonly #offset: Revision;

  constructor(inner: Store, offset: Revision) {
    super(inner);
    this.#offset = offset;
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
    const inner = at === undefined ? options : { ...options, at: await this.#readable(at, signal) };
    const page = await this.#reading(at, super.list(range, inner, signal));
    return { ...page, rev: this.#outer(page.rev), items: page.items.map((kv) => this.#moved(kv)) };
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    const { at } = options;
    const inner = at === undefined ? options : { ...options, at: await this.#readable(at, signal) };
    try {
      for await (const { rev, items } of super.scan(range, inner, signal)) {
        yield { rev: this.#outer(rev), items: items.map((kv) => this.#moved(kv)) };
      }
    } catch (error) {
      throw this.#failure(error, at);
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const committed = await super.commit(this.#innerWrite(write), signal);
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

  override async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    if (signal.aborted) return;
    if (after <= this.#offset) {
      // A closed store answers that it is closed.
      await super.currentRevision(signal);
      throw this.#tooOld(after, undefined);
    }
    try {
      for await (const { rev, events } of super.watch(range, after - this.#offset, signal)) {
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
    if (through <= this.#offset) await super.currentRevision(signal);
    else await this.#reading(through, super.compact(through - this.#offset, signal));
  }

  #innerWrite(write: Write): Write {
    const { guards } = write;
    const guarded = guards === undefined ? write : { ...write, guards: this.#innerGuards(guards) };
    return guarded.op === 'create' ? guarded : { ...guarded, expected: this.#expected(guarded.expected) };
  }

  #innerGuards([first, second]: Guards): Guards {
    const inner = ({ key, revision }: Guard): Guard => ({ key, revision: this.#expected(revision) });
    return second === undefined ? [inner(first)] : [inner(first), inner(second)];
  }

  #expected(rev: Revision): Revision {
    return rev > this.#offset ? rev - this.#offset : UNREACHED;
  }

  #outer(rev: Revision): Revision {
    return rev + this.#offset;
  }

  #moved(kv: KeyValue): KeyValue {
    const createRevision = this.#outer(kv.createRevision);
    return { ...kv, createRevision, modRevision: this.#outer(kv.modRevision) };
  }

  #event(event: KvEvent): KvEvent {
    return event.type === 'put'
      ? { type: 'put', kv: this.#moved(event.kv) }
      : { ...event, modRevision: this.#outer(event.modRevision) };
  }

  /** The revision of the inner store; throws `compacted` for one before its first. */
  async #readable(at: Revision, signal: AbortSignal): Promise<Revision> {
    if (at > this.#offset) return at - this.#offset;
    await super.currentRevision(signal);
    throw this.#tooOld(at, undefined);
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
    const compactRevision = this.#outer(cause?.compactRevision ?? 1);
    const asked = requested === undefined ? '' : `; asked for ${requested}`;
    const message = `history before revision ${compactRevision} was compacted${asked}`;
    return new StoreError('compacted', message, { cause, compactRevision });
  }
}
