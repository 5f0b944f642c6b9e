import type { ObjectSource, SourceObject } from '@orch/auth';
import type { CachedObject, ResourceCache, WatchCache } from '@orch/cache';
import { type ApiObject, parseJson } from '@orch/machinery';

const never = new AbortController().signal;
const everything = {
  fieldEquals: [],
  matchesLabels: () => true,
  matchesFields: () => true,
  everything: true,
};

/** Provides the objects of the watch cache to authenticators and authorizers. */
export function objectSource(cache: WatchCache): ObjectSource {
  const parsed = new WeakMap<CachedObject, ApiObject>();
  return {
    loaded: (signal) => (cache.isReady() ? undefined : cache.ready(signal)),
    async fresh(signal) {
      // All resources are read from one stream: the state of any of them is that of all.
      await cache.resource('namespaces')?.waitFresh({ kind: 'mostRecent' }, signal);
    },
    get(resource, namespace, name) {
      const object = cache.resource(resource)?.get(namespace === '' ? name : `${namespace}/${name}`);
      if (object === undefined || object.corrupt) return undefined;
      const known = parsed.get(object);
      if (known !== undefined) return known;
      const read = parse(object);
      parsed.set(object, read);
      return read;
    },
    find(resource, key) {
      const object = cache.resource(resource)?.get(key);
      return object === undefined || object.corrupt ? undefined : sourceObject(object);
    },
    list: (resource, namespace) =>
      objectsOf(cache.resource(resource), namespace === undefined ? '' : `${namespace}/`),
    subscribe(resource, listener) {
      const live = cache.resource(resource);
      if (live === undefined) return () => undefined;
      const reset = (): void => listener.reset(objectsOf(live, ''));
      const stop = live.subscribe({
        replaced: reset,
        changed(key, object) {
          listener.changed(key, object === undefined || object.corrupt ? undefined : sourceObject(object));
        },
      });
      if (live.count() > 0) reset();
      return stop;
    },
  };
}

const parse = (object: CachedObject): ApiObject => parseJson(object.json()) as ApiObject;

const sourceObject = (object: CachedObject): SourceObject => ({
  key: object.key,
  revision: object.rev,
  read: () => parse(object),
});

/** An object that cannot be read counts as absent: it must not grant anything. */
function objectsOf(cache: ResourceCache | undefined, prefix: string): readonly SourceObject[] {
  if (cache === undefined) return [];
  const page = cache.list({ scope: { prefix }, filter: everything }, never);
  if (page instanceof Promise) throw new TypeError('the present is not in memory');
  return page.objects.filter((object) => !object.corrupt).map(sourceObject);
}
