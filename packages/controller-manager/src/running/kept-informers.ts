import type {
  Change,
  IndexFunction,
  Informer,
  InformerFactory,
  InformerOptions,
  Resource,
  Store,
  Stored,
  TypedResource,
} from '@orch/client';
import { type Follower, informerHasReached, type Kept, type Moment } from '@orch/controllers';
import type { ApiObject } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';

/** The informers of controllers that end and begin again: they follow the server all the time. */
export class KeptInformers implements Kept, Follower {
  readonly #shared: InformerFactory;
  readonly #signal: AbortSignal;
  readonly #informers = new Set<Pick<Informer, 'resource' | 'hasSynced' | 'resourceVersion'>>();
  /** The indexes of informers, which outlive the controllers that have added them. */
  readonly #indexes = new WeakMap<object, Set<string>>();
  readonly #values = new Map<string, Follower>();

  /** The signal is that of the shared informers. */
  constructor(shared: InformerFactory, signal: AbortSignal) {
    this.#shared = shared;
    this.#signal = signal;
  }

  of<T extends Follower>(name: string, make: (signal: AbortSignal) => T): T {
    const made = this.#values.get(name) ?? make(this.#signal);
    this.#values.set(name, made);
    return made as T;
  }

  /** Whether no controller has asked for an informer yet. */
  get isEmpty(): boolean {
    return this.#informers.size === 0;
  }

  hasReached(moment: Moment): boolean {
    for (const informer of this.#informers) if (!informerHasReached(informer, moment)) return false;
    for (const value of this.#values.values()) if (!value.hasReached(moment)) return false;
    return true;
  }

  /** The informers for controllers that end with the signal: their subscriptions do, too. */
  until(signal: AbortSignal): InformerFactory {
    return {
      informer: <T extends ApiObject>(resource: TypedResource<T>, given: InformerOptions<T> = {}) => {
        const { indexes = {}, ...options } = given;
        const shared = this.#shared.informer<T>(resource, options);
        this.#informers.add(shared);
        const informer = new SubscribedInformer<T>(shared, this.#indexesOf(shared), signal);
        for (const [name, keys] of Object.entries(indexes)) informer.addIndex(name, keys);
        return informer;
      },
      run: () => Promise.reject(new Error('the informers run already')),
    };
  }

  #indexesOf(informer: object): Set<string> {
    const names = this.#indexes.get(informer) ?? new Set();
    this.#indexes.set(informer, names);
    return names;
  }
}

/** An informer whose subscriptions end with a signal. */
class SubscribedInformer<T extends ApiObject> implements Informer<T> {
  readonly #shared: Informer<T>;
  readonly #indexes: Set<string>;
  readonly #signal: AbortSignal;

  constructor(shared: Informer<T>, indexes: Set<string>, signal: AbortSignal) {
    this.#shared = shared;
    this.#indexes = indexes;
    this.#signal = signal;
  }

  get resource(): Resource {
    return this.#shared.resource;
  }

  get store(): Store<Stored<T>> {
    return this.#shared.store;
  }

  get hasSynced(): boolean {
    return this.#shared.hasSynced;
  }

  get resourceVersion(): string {
    return this.#shared.resourceVersion;
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#shared.synced(signal);
  }

  subscribe(listener: (change: Change<Stored<T>>) => void): () => void {
    const unsubscribe = this.#shared.subscribe(listener);
    const forget = onAbort(this.#signal, unsubscribe);
    return () => {
      forget();
      unsubscribe();
    };
  }

  /** The function of an index depends on the configuration only, so that of the first controllers has the same values. */
  addIndex(name: string, keys: IndexFunction<Stored<T>>): void {
    if (this.#indexes.has(name)) return;
    this.#indexes.add(name);
    this.#shared.addIndex(name, keys);
  }

  run(): Promise<void> {
    return Promise.reject(new Error('the informer runs already'));
  }
}
