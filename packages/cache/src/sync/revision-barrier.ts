import { onAbort } from '@orch/machinery/concurrency';
import type { Revision } from '@orch/storage';

interface Waiter {
  readonly rev: Revision;
  resolve(): void;
}

/** Lets callers wait until the cache has reached a revision. */
export class RevisionBarrier {
  #revision: Revision = 0;
  readonly #waiters = new Set<Waiter>();
  readonly #advanced: (rev: Revision) => void;

  /** `advanced` is called with each revision that the cache reaches. */
  constructor(advanced: (rev: Revision) => void = () => undefined) {
    this.#advanced = advanced;
  }

  get revision(): Revision {
    return this.#revision;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  advance(rev: Revision): void {
    if (rev > this.#revision) {
      this.#revision = rev;
      this.#advanced(rev);
    }
    if (this.#waiters.size > 0) this.#release(this.#revision);
  }

  /** Resolves waiters for `rev` or less: the state at `rev` was found equal to the state at the cache's revision. */
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
