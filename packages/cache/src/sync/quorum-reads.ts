import { abortable, type Clock, type Deferred, deferred, onAbort, withDeadline } from '@orch/machinery';
import { type Revision, type Store, StoreError } from '@orch/storage';

interface Waiter {
  readonly rev: Revision;
  resolve(): void;
}

/** Lets callers wait until the cache has reached a revision. */
export class RevisionBarrier {
  #revision: Revision = 0;
  readonly #waiters = new Set<Waiter>();

  get revision(): Revision {
    return this.#revision;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  advance(rev: Revision): void {
    if (rev > this.#revision) this.#revision = rev;
    if (this.#waiters.size > 0) this.#release(this.#revision);
  }

  /** Lets go whoever waits for `rev` or less: the state is known to be the same at `rev` as at the cache's revision. */
  sameStateAt(rev: Revision): void {
    this.#release(rev);
  }

  /** Resolves when the cache has `rev`; rejects with the signal's reason. */
  reach(rev: Revision, signal: AbortSignal): Promise<void> {
    if (this.#revision >= rev) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        rev,
        resolve: () => {
          unregister();
          resolve();
        },
      };
      this.#waiters.add(waiter);
      const unregister = onAbort(signal, () => {
        this.#waiters.delete(waiter);
        reject(signal.reason);
      });
    });
  }

  #release(through: Revision): void {
    for (const waiter of this.#waiters) {
      if (waiter.rev > through) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

export interface QuorumReadsOptions {
  readonly store: Pick<Store, 'currentRevision'>;
  readonly barrier: RevisionBarrier;
  readonly clock: Clock;
  /** From the start of a read until the cache has its revision. */
  readonly consistentWaitMs: number;
  readonly progressMs: number;
  /** Called when the cache does not get a revision that the store has reached: something must ask whether it lacks any. */
  readonly lagging: (rev: Revision, signal: AbortSignal) => Promise<void>;
  /** Called when the store's revision is below one that the cache had before it was asked: its history was replaced. */
  readonly wentBack: (error: StoreError) => void;
}

/**
 * Consistent reads: one linearizable read of the store's revision serves everybody who was waiting when it started.
 * Whoever comes later waits for the next one, which starts when this one has returned: a read already under way may
 * have seen a state from before their request.
 */
export class QuorumReads {
  readonly #options: QuorumReadsOptions;
  /** Reads serve many requests, so none of their signals ends them. */
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
   * Resolves when the cache holds everything that was acknowledged before the call. Bounded by `consistentWaitMs`,
   * then, and when the store cannot be reached, rejects with a StoreError `unavailable`.
   */
  consistent(): Promise<void> {
    if (this.#waiting === undefined) {
      this.#waiting = deferred();
      if (!this.#reading) this.#startSoon(1);
    }
    return this.#waiting.promise;
  }

  /**
   * Requests that come in the same turn of the event loop share the read, or in that many flushes. Behind a read it is two:
   * clients that were just answered are heard again before the next one begins, so that they, and those who waited
   * already, are one group and not two that alternate, with half of the reads.
   */
  #startSoon(flushes: number): void {
    this.#reading = true;
    setImmediate(() => (flushes > 1 ? this.#startSoon(flushes - 1) : void this.#read()));
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
    const { barrier, clock, progressMs, lagging } = this.#options;
    if (barrier.revision >= rev) return;
    const cancel = clock.schedule(progressMs, () => {
      // What it finds out reaches this wait through the barrier; failing, it leaves the wait to its deadline.
      lagging(rev, signal).catch(() => undefined);
    });
    try {
      await barrier.reach(rev, signal);
    } finally {
      cancel();
    }
  }
}

function unavailable(message: string, cause: unknown): StoreError {
  return cause instanceof StoreError ? cause : new StoreError('unavailable', message, { cause });
}
