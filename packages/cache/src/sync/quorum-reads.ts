import type { Clock } from '@orch/machinery';
import { abortable, type Deferred, deferred, withDeadline } from '@orch/machinery/concurrency';
import { type Revision, type Store, StoreError } from '@orch/storage';
import type { RevisionBarrier } from './revision-barrier.ts';

/** Time that events have to arrive before `behind` is called. */
const BEHIND_MS = 20;

export interface QuorumReadsOptions {
  readonly store: Pick<Store, 'currentRevision'>;
  readonly barrier: RevisionBarrier;
  readonly clock: Clock;
  /** From the start of a read until the cache has its revision. */
  readonly consistentWaitMs: number;
  readonly progressMs: number;
  /**
   * Called when the cache has not received a revision that the store has reached, to find out whether it lacks any
   * event. Its result reaches the waiting reads through the barrier.
   */
  readonly lagging: (rev: Revision, signal: AbortSignal) => Promise<void>;
  /** Called when the cache has not received a revision that the store has reached, before `lagging`. */
  readonly behind?: (rev: Revision) => void;
  /** Called when the store's revision is lower than the cache's revision before the read: its history was replaced. */
  readonly wentBack: (error: StoreError) => void;
}

/**
 * Consistent reads: one linearizable read of the store's revision serves all requests that were waiting when it started.
 * Later requests wait for the next read, which starts when the current one has returned, since the current one may have
 * seen a state from before those requests.
 */
export class QuorumReads {
  readonly #options: QuorumReadsOptions;
  /** A read serves many requests, so no request's signal aborts it. */
  readonly #never = new AbortController().signal;
  #waiting: Deferred<void> | undefined;
  #reading = false;
  #reads = 0;

  constructor(options: QuorumReadsOptions) {
    this.#options = options;
  }

  /** Reads sent to the store so far. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * Resolves when the cache contains every write that was acknowledged before the call. Rejects with a StoreError
   * `unavailable` after `consistentWaitMs`, and when the store cannot be reached.
   */
  consistent(): Promise<void> {
    if (this.#waiting === undefined) {
      this.#waiting = deferred();
      if (!this.#reading) this.#startSoon(1);
    }
    return this.#waiting.promise;
  }

  /**
   * Starts a read after this number of ticks; requests that arrive until then share it. After a read there are two ticks:
   * the next requests of clients that were just answered then join those already waiting, in one group instead of two
   * that alternate, which needs half as many reads.
   */
  #startSoon(ticks: number): void {
    this.#reading = true;
    setImmediate(() => (ticks > 1 ? this.#startSoon(ticks - 1) : void this.#read()));
  }

  async #read(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = undefined;
    if (batch === undefined) return;
    const { clock, consistentWaitMs, store } = this.#options;
    using scope = withDeadline(this.#never, clock, consistentWaitMs);
    let rev: Revision | undefined;
    const before = this.#options.barrier.revision;
    try {
      this.#reads++;
      rev = await abortable(store.currentRevision(scope.signal), scope.signal);
    } catch (error) {
      batch.reject(unavailable('the store did not answer a consistent read', error));
    }
    this.#reading = false;
    if (this.#waiting !== undefined) this.#startSoon(2);
    if (rev === undefined) return;
    if (rev < before) {
      const error = new StoreError('corrupt', `the store went back from revision ${before} to ${rev}`);
      this.#options.wentBack(error);
      batch.reject(error);
      return;
    }
    try {
      await this.#reach(rev, scope.signal);
      batch.resolve();
    } catch (error) {
      batch.reject(unavailable(`the cache did not reach revision ${rev} in time`, error));
    }
  }

  async #reach(rev: Revision, signal: AbortSignal): Promise<void> {
    const { barrier, clock, progressMs, lagging, behind } = this.#options;
    if (barrier.revision >= rev) return;
    const cancel = clock.schedule(progressMs, () => {
      // If it fails, the wait continues until its deadline.
      lagging(rev, signal).catch(() => undefined);
    });
    const cancelBehind = behind && clock.schedule(BEHIND_MS, () => behind(rev));
    try {
      await barrier.reach(rev, signal);
    } finally {
      cancel();
      cancelBehind?.();
    }
  }
}

function unavailable(message: string, cause: unknown): StoreError {
  return cause instanceof StoreError ? cause : new StoreError('unavailable', message, { cause });
}
