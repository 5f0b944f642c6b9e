import type { TestEnv } from '@orch/machinery/testing';
import { type Backend, MovableStore, type Store } from '@orch/storage';
import { type Faults, FaultyStore } from '@orch/storage/conformance';
import { type SimulatedStore, STORE_PREFIX } from './simulated-store.ts';

/** The connection of a process to a store. Others use the store when it is closed. */
class Connection extends FaultyStore {
  override async close(): Promise<void> {
    this.cutWatches();
  }
}

type FaultyStoreOptions = ConstructorParameters<typeof FaultyStore>[1];

interface ConnectionsOptions extends FaultyStoreOptions {
  /** Replaces a store by a defective one. */
  readonly alter?: ((store: Store) => Store) | undefined;
}

/** The connections of one process to stores. All have the same faults. */
export class StoreConnections {
  readonly #options: ConnectionsOptions;
  readonly #all: Connection[] = [];
  #faults: Faults = {};

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  set faults(faults: Faults) {
    this.#faults = faults;
    for (const one of this.#all) one.faults = faults;
  }

  cutWatches(): void {
    for (const one of this.#all) one.cutWatches();
  }

  to(store: Store): Store {
    const { alter, ...options } = this.#options;
    const connection = new Connection(alter?.(store) ?? store, { ...options, faults: this.#faults });
    this.#all.push(connection);
    return connection;
  }

  /** As servers and migrations use a store that others use, too. */
  backend(store: SimulatedStore): Backend {
    return { store: this.to(store), isShared: true, name: store.name };
  }
}

/** The store of a server that follows migrations from one of the stores to another. */
export function openMovable(
  connections: StoreConnections,
  stores: { readonly first: SimulatedStore; readonly all: readonly SimulatedStore[] },
  { env, signal }: { readonly env: TestEnv; readonly signal: AbortSignal },
): Promise<MovableStore> {
  const openMoved = async ({ to }: { readonly to: string }): Promise<Backend> => {
    const next = stores.all.find(({ name }) => name === to);
    if (next === undefined) throw new Error(`there is no store ${to}`);
    return connections.backend(next);
  };
  return MovableStore.open(
    connections.backend(stores.first),
    { prefix: STORE_PREFIX, openMoved, env },
    signal,
  );
}
