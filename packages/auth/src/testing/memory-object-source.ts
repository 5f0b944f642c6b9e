import type { HubObject } from '@orch/kinds/hub-object';
import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import type { ObjectSource, ObjectSubscriber, SourceObject } from '../object-source.ts';

/** Objects in memory, for tests of state that is derived from them. */
export class MemoryObjectSource implements ObjectSource {
  readonly #resources = new Map<string, Map<string, SourceObject<unknown>>>();
  readonly #listeners = new Map<string, Set<ObjectSubscriber<unknown>>>();
  #revision = 0;
  /** Set while nothing is loaded yet. */
  loading: Promise<void> | undefined;

  loaded(): Promise<void> | undefined {
    return this.loading;
  }

  fresh(): Promise<void> {
    return Promise.resolve();
  }

  get<R extends string>(resource: R, namespace: string, name: string): HubObject<R> | undefined {
    return this.#of(resource)
      .get(namespace === '' ? name : `${namespace}/${name}`)
      ?.read();
  }

  find<R extends string>(resource: R, key: string): SourceObject<HubObject<R>> | undefined {
    return this.#of(resource).get(key);
  }

  list<R extends string>(resource: R, namespace?: string): readonly SourceObject<HubObject<R>>[] {
    const all = [...this.#of(resource).values()];
    return namespace === undefined ? all : all.filter(({ key }) => key.startsWith(`${namespace}/`));
  }

  subscribe<R extends string>(resource: R, listener: ObjectSubscriber<HubObject<R>>): () => void {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    listener.reset(this.list(resource));
    return () => listeners.delete(listener);
  }

  put(resource: string, object: ApiObject): void {
    const { name = '', namespace = '' } = object.metadata;
    const key = namespace === '' ? name : `${namespace}/${name}`;
    const kept = cloneJson(object);
    const revision = Number(object.metadata.resourceVersion ?? ++this.#revision);
    const state: SourceObject<HubObject<string>> = { key, revision, read: () => cloneJson(kept) };
    this.#of(resource).set(key, state);
    for (const listener of this.#listeners.get(resource) ?? []) listener.changed(key, state);
  }

  delete(resource: string, key: string): void {
    this.#of(resource).delete(key);
    for (const listener of this.#listeners.get(resource) ?? []) listener.changed(key, undefined);
  }

  /** As after a rebuild of the cache. */
  replace(resource: string, objects: readonly ApiObject[]): void {
    this.#resources.delete(resource);
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.delete(resource);
    for (const object of objects) this.put(resource, object);
    this.#listeners.set(resource, listeners);
    for (const listener of listeners) listener.reset(this.list(resource));
  }

  #of<R extends string>(resource: R): Map<string, SourceObject<HubObject<R>>> {
    const found = this.#resources.get(resource) ?? new Map();
    this.#resources.set(resource, found);
    return found as Map<string, SourceObject<HubObject<R>>>;
  }
}
