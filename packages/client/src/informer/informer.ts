import type { ApiObject, Env, Logger } from '@orch/machinery';
import { abortable, aborted, type Deferred, deferred } from '@orch/machinery/concurrency';
import { deepFreeze } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import { objectKey } from '../objects/object-key.ts';
import type { Resource, ResourceClient, Stored, TypedResource, WatchEvent } from '../rest/types.ts';
import { cachedForm } from './cached-form.ts';
import { type InformerMetrics, informerMetrics } from './informer-metrics.ts';
import type { Reading, State } from './initial-state.ts';
import { Reflector, type Streaming } from './reflector.ts';
import { IndexedStore } from './store.ts';
import type { Change, IndexFunction, Informer, OwnInformerOptions, Store } from './types.ts';

/** Common settings of the informers of one client. */
export interface InformerSettings {
  readonly client: Client;
  readonly env: Env;
  /** Whether the state is read by a watch with initial events, as is usual, while the server supports it; by lists otherwise. */
  readonly streaming?: Streaming;
  /** Freezes objects in the store, so that changes of them throw. For tests, because of its cost. */
  readonly freeze?: boolean;
}

type Listener<T extends ApiObject> = (change: Change<Stored<T>>) => void;

/** An informer of one resource. It sends no request before `run`. */
export function createInformer<T extends ApiObject = ApiObject>(
  settings: InformerSettings,
  resource: TypedResource<T>,
  options: OwnInformerOptions<T> = {},
): Informer<T> {
  return new ListWatchInformer(settings, resource, options);
}

class ListWatchInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: Resource;
  readonly #settings: InformerSettings;
  readonly #options: OwnInformerOptions<T>;
  readonly #store: IndexedStore<Stored<T>>;
  readonly #listeners = new Set<Listener<T>>();
  readonly #synced: Deferred<void> = deferred();
  readonly #log: Logger;
  readonly #metrics: InformerMetrics;
  #resourceVersion = '';
  #ran = false;

  constructor(settings: InformerSettings, resource: Resource, options: OwnInformerOptions<T>) {
    this.resource = resource;
    this.#settings = settings;
    this.#options = options;
    this.#metrics = informerMetrics(settings.env.metrics, resource);
    this.#log = settings.env.log.with({
      component: 'informer',
      resource: resource.resource,
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    });
    this.#store = new IndexedStore((index, key, error) =>
      this.#log.error('an index function failed', { index, key, error }),
    );
    for (const [name, keys] of Object.entries(options.indexes ?? {})) this.#store.addIndex(name, keys);
  }

  get store(): Store<Stored<T>> {
    return this.#store;
  }

  get hasSynced(): boolean {
    return this.#synced.settled;
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  synced(signal: AbortSignal): Promise<void> {
    return abortable(this.#synced.promise, signal);
  }

  addIndex(name: string, keys: IndexFunction<Stored<T>>): void {
    this.#store.addIndex(name, keys);
  }

  subscribe(listener: Listener<T>): () => void {
    // A new function for every subscription, so that one listener can subscribe several times.
    const own: Listener<T> = (change) => listener(change);
    this.#listeners.add(own);
    for (const object of [...this.#store.values()]) {
      if (!this.#listeners.has(own)) break;
      this.#notify(own, { type: 'added', object, isInitial: true });
    }
    return () => void this.#listeners.delete(own);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#ran) throw new Error(`the informer of ${this.resource.resource} was run already`);
    this.#ran = true;
    const { client, env, streaming = { enabled: true }, freeze = false } = this.#settings;
    const { namespace, labelSelector, fieldSelector, transform, metadataOnly = false } = this.#options;
    const form = cachedForm<T>({
      transform,
      metadataOnly,
      onTransformError: (key, error) =>
        this.#log.error('a transform failed, the object is stored unchanged', { key, error }),
    });
    const reading: Reading<T> = {
      client: metadataOnly
        ? (client.metadata(this.resource, namespace) as ResourceClient<ApiObject> as ResourceClient<T>)
        : client.resource<T>(this.resource, namespace),
      selection: {
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      },
      keep: freeze ? (object) => deepFreeze(form(object)) : form,
    };
    const reflector = new Reflector<T>({
      env,
      log: this.#log,
      names: client.names,
      metrics: this.#metrics,
      reading,
      streaming,
      sink: { replace: (state) => this.#replace(state), apply: (event) => this.#apply(event) },
      onListFailed: this.#options.onListFailed ?? (() => undefined),
    });
    await reflector.run(signal);
    await aborted(signal);
    this.#metrics.objects.add(-this.#store.size);
  }

  /** Delivers the differences between a listed state and the store as changes. */
  #replace(state: State<T>): void {
    const isInitial = !this.#synced.settled;
    const present = new Set<string>();
    for (const object of state.items) present.add(objectKey(object));
    for (const [key, object] of this.#store.entries()) {
      if (!present.has(key)) this.#remove(key, object, true);
    }
    for (const object of state.items) this.#put(object, isInitial);
    this.#resourceVersion = state.resourceVersion;
    this.#synced.resolve();
  }

  #apply({ type, object }: WatchEvent<Stored<T>>): void {
    if (type === 'DELETED') this.#remove(objectKey(object), object, false);
    else if (type !== 'BOOKMARK') this.#put(object, false);
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
  }

  #put(object: Stored<T>, isInitial: boolean): void {
    const key = objectKey(object);
    const old = this.#store.get(key);
    if (old !== undefined && old.metadata.uid !== object.metadata.uid) {
      // The name belongs to another object now: the deletion of the first one was not observed.
      this.#remove(key, old, true);
    } else if (old !== undefined) {
      if (old.metadata.resourceVersion === object.metadata.resourceVersion) return;
      this.#store.set(key, object);
      this.#deliver({ type: 'updated', object, old });
      return;
    }
    this.#store.set(key, object);
    this.#metrics.objects.add(1);
    this.#deliver({ type: 'added', object, isInitial });
  }

  #remove(key: string, object: Stored<T>, isStale: boolean): void {
    if (this.#store.delete(key) === undefined) return;
    this.#metrics.objects.add(-1);
    this.#deliver({ type: 'deleted', object, isStale });
  }

  /** Listeners that subscribe during the delivery have received the change from the store. */
  #deliver(change: Change<Stored<T>>): void {
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) this.#notify(listener, change);
    }
  }

  #notify(listener: Listener<T>, change: Change<Stored<T>>): void {
    try {
      listener(change);
    } catch (error) {
      this.#log.error('a listener failed', { change: change.type, key: objectKey(change.object), error });
    }
  }
}
