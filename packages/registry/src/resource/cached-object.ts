import type { CachedObject } from '@orch/cache';
import type { StoredResource } from './served-resource.ts';

const anyAge = { kind: 'any' } as const;

/**
 * The cached object, however old. Undefined also when the definition of the kind has changed since the request began:
 * the cache was replaced then, and a write reads the store.
 */
export const cachedObject = (
  { cache }: Pick<StoredResource, 'cache'>,
  key: string,
): CachedObject | undefined => (cache.isFresh(anyAge) ? cache.get(key) : undefined);
