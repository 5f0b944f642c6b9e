import type { ObjectSource, SourceObject } from '@orch/auth';
import type { CachedObject, ResourceCache, WatchCache } from '@orch/cache';
import type { HubObject } from '@orch/kinds/hub-object';
import { errors } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { refuseUnreadable } from '../resource/refuse-unreadable.ts';
import { cachedObjects } from './followed-objects.ts';

/**
 * The substitute for an object that cannot be read. `absent`: none, for authenticators and authorizers, whose objects
 * only grant. `failing`: an object whose `read` throws, for admission, whose objects restrict.
 */
export type UnreadableObjects = 'absent' | 'failing';

/** Provides the objects of the watch cache to authenticators, authorizers and admission plugins. */
export function objectSource(cache: WatchCache, unreadable: UnreadableObjects = 'absent'): ObjectSource {
  const parsed = new WeakMap<CachedObject, unknown>();
  const readerOf = <R extends string>(resource: R): Reader<HubObject<R>> =>
    new Reader(cache.resource(resource), unreadable === 'failing');
  return {
    loaded: (signal) => (cache.isReady() ? undefined : cache.ready(signal)),
    async fresh(signal) {
      // All resources are read from one stream: they all have the same revision.
      await cache.resource('namespaces')?.waitFresh({ kind: 'mostRecent' }, signal);
    },
    get<R extends string>(resource: R, namespace: string, name: string) {
      const object = cache.resource(resource)?.get(namespace === '' ? name : `${namespace}/${name}`);
      if (object === undefined) return undefined;
      const known = parsed.get(object);
      if (known !== undefined) return known as HubObject<R>;
      const read = readerOf(resource).sourceObject(object)?.read();
      if (read !== undefined) parsed.set(object, read);
      return read;
    },
    find: (resource, key) => readerOf(resource).sourceObject(cache.resource(resource)?.get(key)),
    list: (resource, namespace) => readerOf(resource).list(namespace === undefined ? '' : `${namespace}/`),
    subscribe(resource, listener) {
      const live = cache.resource(resource);
      if (live === undefined) return () => undefined;
      const reader = readerOf(resource);
      const reset = (): void => listener.reset(reader.list(''));
      const stop = live.subscribe({
        replaced: reset,
        changed: (key, object) => listener.changed(key, reader.sourceObject(object)),
      });
      if (live.count() > 0) reset();
      return stop;
    },
  };
}

/** Reads the objects of one resource, whose types the cache has checked. */
class Reader<T> {
  readonly #cache: ResourceCache | undefined;
  readonly #hasUnreadable: boolean;

  constructor(cache: ResourceCache | undefined, hasUnreadable: boolean) {
    this.#cache = cache;
    this.#hasUnreadable = hasUnreadable;
  }

  sourceObject(object: CachedObject | undefined): SourceObject<T> | undefined {
    if (object === undefined || (object.corrupt && !this.#hasUnreadable)) return undefined;
    const { key, rev: revision } = object;
    return {
      key,
      revision,
      read: () => (object.corrupt ? this.#refuse(key) : (parseJson(object.json()) as T)),
    };
  }

  list(prefix: string): readonly SourceObject<T>[] {
    const cache = this.#cache;
    if (cache === undefined) return [];
    const objects = cachedObjects({ cache }, prefix);
    if (objects === undefined) throw new TypeError('the present is not in memory');
    return objects.flatMap((object) => this.sourceObject(object) ?? []);
  }

  #refuse(key: string): never {
    const cache = this.#cache;
    if (cache !== undefined)
      refuseUnreadable({ cache, type: { resource: cache.resource.name } }, { prefix: '', exact: key });
    throw errors.internal(undefined, `the stored object ${key} cannot be read`);
  }
}
