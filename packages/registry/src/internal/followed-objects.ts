import type { CachedObject, CacheSubscriber, ResourceCache } from '@orch/cache';
import { everythingFilter } from '../request/object-filter.ts';

/** A resource whose objects are cached. */
interface Cached {
  readonly cache: ResourceCache;
}

/** The cached objects of a resource whose keys have the prefix; undefined before the first load. */
export function cachedObjects({ cache }: Cached, prefix = ''): readonly CachedObject[] | undefined {
  // The present state is in memory, unless nothing was loaded yet.
  const query = { scope: { prefix }, filter: everythingFilter };
  const page = cache.list(query, new AbortController().signal);
  return page instanceof Promise ? undefined : page.objects;
}

/**
 * Subscribes to the cached objects of a resource until the returned function is called. Calls `replaced` also at once, unless
 * the cache was not loaded yet.
 */
export function followObjects({ cache }: Cached, subscriber: CacheSubscriber): () => void {
  const stop = cache.subscribe(subscriber);
  if (cache.revision() > 0) subscriber.replaced();
  return stop;
}
