import type { Store } from '../store.ts';

/** One store opened for one test. Disposing it closes the store and removes its data. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  /** Aborts when the test has ended. */
  readonly signal: AbortSignal;
  /** Prefix of the test's keys; unique for every opening of a shared server. Default `/conformance/`. */
  readonly prefix?: string;
  /** Advances the store's clock, for stores on a fake clock. Without it the suite waits for real ttls of a second. */
  readonly advance?: (ms: number) => void | Promise<void>;
  /** Two clients of the same data that lose requests and answers; undefined when nothing can be lost. */
  readonly lossyClients?: (seed: number) => Promise<LossyClients>;
}

/** Two clients that lose some of their requests and answers, determined by a seed. */
export interface LossyClients extends AsyncDisposable {
  readonly stores: readonly [Store, Store];
}
