import type { Store } from '../store.ts';

/** One store opened for one test. Disposing it closes the store and removes what it left. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  /** Aborts when the test is over. */
  readonly signal: AbortSignal;
  /** Keys of the test begin with it; a server shared by tests gives every opening its own. Default `/conformance/`. */
  readonly prefix?: string;
  /** Lets the store's clock pass, for stores on a fake clock. Without it the suite waits for real ttls of a second. */
  readonly advance?: (ms: number) => void | Promise<void>;
  /** Two clients of the same data for which requests and answers get lost; where nothing can be lost, there is none. */
  readonly lossyClients?: (seed: number) => Promise<LossyClients>;
}

/** Two clients that lose some of their requests and answers, by a seed. */
export interface LossyClients extends AsyncDisposable {
  readonly stores: readonly [Store, Store];
}
