import { Semaphore } from '@orch/machinery/concurrency';
import type { Store, Write } from '@orch/storage';
import { commitUnlessExpired } from './commit-unless-expired.ts';

/** Commits in flight: embedded and etcd store write them in groups. With values of the largest size, some 250 MiB. */
const MAX_IN_FLIGHT = 64;

/** Commits writes concurrently, each exactly once. The first failure ends it. */
export class CommitQueue {
  readonly #store: Pick<Store, 'commit'>;
  readonly #signal: AbortSignal;
  readonly #slots = new Semaphore(MAX_IN_FLIGHT);
  readonly #inFlight = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(store: Pick<Store, 'commit'>, signal: AbortSignal) {
    this.#store = store;
    this.#signal = signal;
  }

  /** Waits for a free slot. Throws the failure of an earlier write. */
  async push(write: Write): Promise<void> {
    const release = await this.#slots.acquire(this.#signal);
    if (this.#failure !== undefined) {
      release();
      throw this.#failure.error;
    }
    const work = this.#commit(write).finally(release);
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
  }

  /** Waits until all writes are durable. */
  async finish(): Promise<void> {
    await this.settled();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until no write is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #commit(write: Write): Promise<void> {
    try {
      await commitUnlessExpired(this.#store, write, this.#signal);
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
