import type { Clock, Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { makesRoom } from './extensions/write-extensions.ts';
import { ForwardingStore } from './forwarding-store.ts';
import type { KeyRange, WatchRange } from './keys.ts';
import {
  type Committed,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from './store.ts';

/** Probabilities between 0 and 1, of each call or batch; absent means never. */
export interface Faults {
  /** A call fails with `unavailable` and does nothing. */
  readonly unavailable?: number;
  /** A commit takes effect, its caller gets `outcomeUnknown`. */
  readonly replyLost?: number;
  /** A commit does not take effect, its caller gets `outcomeUnknown`. */
  readonly requestLost?: number;
  /** A commit that needs space fails with `full` and does nothing. */
  readonly full?: number;
  /** A watch fails with `unavailable` instead of delivering its next batch. */
  readonly watchCut?: number;
  /** Maximum delay of every call and every batch in milliseconds, by the clock. */
  readonly delayMs?: number;
}

export interface FaultyStoreOptions {
  readonly clock: Clock;
  /** The same seed gives the same faults to the same calls. */
  readonly random: Random;
  readonly faults?: Faults;
}

const ODDS = 1_000_000;

/** A store that fulfils the contract and fails in every way that the contract allows. For tests. */
export class FaultyStore extends ForwardingStore {
  /** May be changed at any time; `{}` removes all faults. */
  faults: Faults;
  /** Number of injections of each fault. */
  readonly injected = { unavailable: 0, full: 0, replyLost: 0, requestLost: 0, watchCut: 0 };
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cuts = new Set<AbortController>();

  constructor(inner: Store, options: FaultyStoreOptions) {
    super(inner);
    this.#clock = options.clock;
    this.#random = options.random;
    this.faults = options.faults ?? {};
  }

  /** Makes every watch that is open now fail with `unavailable`, also one that waits. */
  cutWatches(): void {
    for (const cut of this.#cuts) cut.abort();
  }

  override async get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    await this.#enter(signal);
    return super.get(key, signal);
  }

  override async list(
    range: KeyRange,
    options: Parameters<Store['list']>[1],
    signal: AbortSignal,
  ): Promise<Page> {
    await this.#enter(signal);
    return super.list(range, options, signal);
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    await this.#enter(signal);
    for await (const part of super.scan(range, options, signal)) {
      yield part;
      await this.#enter(signal);
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    await this.#enter(signal);
    if (!makesRoom(write) && this.#happens('full'))
      throw new StoreError('full', 'injected: the store is full');
    if (this.#happens('requestLost')) throw unknown('the request may have been lost');
    const result = await super.commit(write, signal);
    if (this.#happens('replyLost')) throw unknown('the reply may have been lost');
    try {
      await this.#delay(signal);
    } catch (cause) {
      throw new StoreError('outcomeUnknown', 'the deadline passed during the commit', { cause });
    }
    return result;
  }

  override async *watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const cut = new AbortController();
    this.#cuts.add(cut);
    try {
      for await (const batch of super.watch(range, after, AbortSignal.any([signal, cut.signal]))) {
        await this.#delay(signal).catch(() => undefined);
        if (signal.aborted) return;
        if (this.#happens('watchCut')) throw new StoreError('unavailable', 'injected: the watch was cut');
        yield batch;
      }
      if (!cut.signal.aborted || signal.aborted) return;
      this.injected.watchCut++;
      throw new StoreError('unavailable', 'injected: the watch was cut');
    } finally {
      this.#cuts.delete(cut);
    }
  }

  override async currentRevision(signal: AbortSignal): Promise<Revision> {
    await this.#enter(signal);
    return super.currentRevision(signal);
  }

  override async compact(through: Revision, signal: AbortSignal): Promise<void> {
    await this.#enter(signal);
    return super.compact(through, signal);
  }

  override async size(signal: AbortSignal): ReturnType<Store['size']> {
    await this.#enter(signal);
    return super.size(signal);
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#delay(signal);
    if (this.#happens('unavailable'))
      throw new StoreError('unavailable', 'injected: the store cannot be reached');
  }

  async #delay(signal: AbortSignal): Promise<void> {
    const { delayMs = 0 } = this.faults;
    if (delayMs > 0) await sleep(this.#clock, this.#random.int(delayMs + 1), signal);
  }

  #happens(fault: keyof FaultyStore['injected']): boolean {
    const probability = this.faults[fault] ?? 0;
    if (probability <= 0 || this.#random.int(ODDS) >= probability * ODDS) return false;
    this.injected[fault]++;
    return true;
  }
}

function unknown(why: string): StoreError {
  return new StoreError('outcomeUnknown', `injected: ${why}`);
}
