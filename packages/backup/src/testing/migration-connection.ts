import type { Random } from '@orch/machinery';
import {
  type Committed,
  ForwardingStore,
  type KeyRange,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from '@orch/storage';

/** The connection of one process to a store: it can be cut after a number of calls. */
export class Connection extends ForwardingStore {
  readonly #onCall: () => void;
  readonly #random: Random;
  isCut = false;
  #cut = new AbortController();
  #stalled: Promise<void> = Promise.resolve();

  constructor(inner: Store, random: Random, onCall: () => void = () => undefined) {
    super(inner);
    this.#random = random;
    this.#onCall = onCall;
  }

  cut(): void {
    this.isCut = true;
    this.#cut.abort();
  }

  heal(): void {
    this.isCut = false;
    this.#cut = new AbortController();
  }

  /**
   * Until the returned function is called, no request is sent and no answer or event arrives, as when the process is
   * stopped.
   */
  stall(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stalled = promise;
    return resolve;
  }

  override get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#call(() => super.get(key, signal));
  }

  override list(...args: Parameters<Store['list']>): ReturnType<Store['list']> {
    return this.#call(() => super.list(...args));
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    for await (const part of super.scan(range, options, signal)) {
      await this.#call(async () => undefined);
      yield part;
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const committed = await this.#call(() => super.commit(write, signal));
    // The reply is lost when the process or the network ends between the commit and it.
    if (this.isCut) throw new StoreError('outcomeUnknown', 'cut');
    return committed;
  }

  override async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const either = AbortSignal.any([signal, this.#cut.signal]);
    for await (const batch of super.watch(range, after, either)) {
      await this.#stalled;
      yield batch;
    }
    if (!signal.aborted) throw new StoreError('unavailable', 'cut');
  }

  override currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#call(() => super.currentRevision(signal));
  }

  override async close(): Promise<void> {
    this.cut();
  }

  /** Other processes do something meanwhile. */
  async #transit(): Promise<void> {
    for (let ticks = this.#random.int(4); ticks > 0; ticks--)
      await new Promise((resolve) => setImmediate(resolve));
    await this.#stalled;
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    await this.#transit();
    if (this.isCut) throw new StoreError('unavailable', 'cut');
    this.#onCall();
    if (this.isCut) throw new StoreError('unavailable', 'cut');
    const result = await work();
    await this.#transit();
    return result;
  }
}
