import { builtinTypes, typesAt } from '@orch/apis';
import { createWatchCache, type WatchCache } from '@orch/cache';
import type { Env } from '@orch/machinery';
import { cachedResourceOf, cacheNameOf, createRegistry, type Registry } from '@orch/server';
import type { Store } from '@orch/storage';
import type { Settings } from './settings.ts';

/** The API over one store: the registry, and the cache that it reads from. */
export interface ApiSurface {
  readonly registry: Registry;
  readonly cache: WatchCache;
}

/** Joins the kinds of the emulated release, the watch cache and the registry. Nothing runs yet. */
export function apiSurface(
  { flags, names, release, storePrefix }: Settings,
  store: Store,
  env: Env,
): ApiSurface {
  const types = typesAt(release, builtinTypes);
  const cache = createWatchCache({
    store,
    prefix: storePrefix,
    env,
    resources: types
      .filter((type) => type.virtual !== true)
      .map((type) => cachedResourceOf(type, names, storePrefix)),
  });
  const registry = createRegistry({
    names,
    types,
    store,
    env,
    release,
    storePrefix,
    limits: { minRequestTimeoutMs: flags.minRequestTimeout * 1000 },
    cacheOf(type) {
      const found = cache.resource(cacheNameOf(type));
      if (found === undefined) throw new TypeError(`${type.resource} is not cached`);
      return found;
    },
  });
  return { registry, cache };
}
