import { BackupError, migrateStore } from '@orch/backup';
import type { Env } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { StoreError } from '@orch/storage';
import type { StoreConnections } from '../world/connections.ts';
import type { Replica } from '../world/replica.ts';
import { STORE_PREFIX } from '../world/simulated-store.ts';
import type { Stores } from '../world/stores.ts';
import type { Trace } from '../world/trace.ts';

interface MoverOptions {
  readonly stores: Stores;
  readonly connections: StoreConnections;
  readonly trace: Trace;
}

/** An operator who moves the content from one of two stores to the other, while servers use it. */
export class Mover {
  readonly #env: Pick<Env, 'clock' | 'random'>;
  readonly #options: MoverOptions;

  constructor(env: Pick<Env, 'clock' | 'random'>, options: MoverOptions) {
    this.#env = env;
    this.#options = options;
  }

  /**
   * Moves the content through a server. A move that fails leaves it where it is. Servers that start from now on have the flags of
   * the store with the content: after an earlier move they would otherwise find a store that this move fills.
   */
  async move(replica: Replica): Promise<void> {
    const { stores, connections, trace } = this.#options;
    const { movable: source, signal } = replica;
    if (source === undefined) return;
    const target = stores.all.find(({ name }) => name !== source.place.backend.name);
    if (target === undefined) return;
    stores.first = stores.all.find((one) => one !== target) ?? stores.first;
    const backend = connections.backend(target);
    try {
      await migrateStore({ source, target: backend, prefix: STORE_PREFIX, env: this.#env }, signal);
      trace.note(`the content was moved to ${target.name}`);
    } catch (error) {
      await backend.store.close();
      trace.note(`the content was not moved to ${target.name}: ${error}`);
      const isExpected =
        signal.aborted ||
        error instanceof BackupError ||
        error instanceof DeadlineExceeded ||
        (error instanceof StoreError && error.code !== 'corrupt');
      if (!isExpected) throw error;
    }
  }
}
