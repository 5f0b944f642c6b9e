import type { Random } from '@orch/machinery';
import {
  ForwardingStore,
  type KeyRange,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
} from '@orch/storage';

/** A store that a test can make slow, unavailable, or silent about progress. */
export class UnrulyStore extends ForwardingStore {
  readonly #random: Random | undefined;
  /** Per mille of calls, and of batches of watches, that fail as `unavailable`. Needs `random`. */
  failPerMille = 0;
  /** Every call fails as `unavailable`, watches too. */
  down = false;
  /** Watches send no batches without events. */
  silent = false;
  /** Watches omit their events, which a store must never do. */
  losing = false;
  /** The reported current revision is lower by this number, as after a restore. */
  wentBackBy = 0;
  /** Reads of the current revision wait here when set. */
  revisionGate: Promise<void> | undefined;
  /** Calls so far, by method. */
  readonly calls = { get: 0, list: 0, scan: 0, watch: 0, currentRevision: 0 };
  #held: (() => void)[] | undefined;

  constructor(inner: Store, random?: Random) {
    super(inner);
    this.#random = random;
  }

  /** From now on, batches of watches are delayed until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  /** Delivers the delayed batches. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  override async get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    this.calls.get++;
    this.#check();
    return super.get(key, signal);
  }

  override async list(
    range: KeyRange,
    options: Parameters<Store['list']>[1],
    signal: AbortSignal,
  ): Promise<Page> {
    this.calls.list++;
    this.#check();
    return super.list(range, options, signal);
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    this.calls.scan++;
    this.#check();
    for await (const part of super.scan(range, options, signal)) {
      yield part;
      this.#check();
    }
  }

  override async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    this.calls.watch++;
    this.#check();
    for await (const batch of super.watch(range, after, signal)) {
      const held = this.#held;
      if (held !== undefined) await new Promise<void>((go) => held.push(go));
      this.#check();
      if (signal.aborted) return;
      if (this.losing) {
        yield { rev: batch.rev, events: [] };
        continue;
      }
      if (!this.silent || batch.events.length > 0)
        yield this.silent ? { ...batch, rev: lastRevision(batch) } : batch;
    }
  }

  override async currentRevision(signal: AbortSignal): Promise<Revision> {
    this.calls.currentRevision++;
    this.#check();
    const rev = await super.currentRevision(signal);
    await this.revisionGate;
    return rev - this.wentBackBy;
  }

  #check(): void {
    if (this.down || (this.#random?.int(1000) ?? 1000) < this.failPerMille) {
      throw new StoreError('unavailable', 'the test made the store unavailable');
    }
  }
}

function lastRevision(batch: WatchBatch): Revision {
  const last = batch.events.at(-1);
  return last === undefined ? batch.rev : last.type === 'put' ? last.kv.modRevision : last.modRevision;
}
