export { cachedResourceOf } from './cached-resource.ts';
export { createRegistry, defaultRegistryLimits, type Registry, type RegistryOptions } from './registry.ts';
export type { RegistryLimits } from './registry-context.ts';
export { cacheNameOf, DEFAULT_STORE_PREFIX, internalKey, keyPrefixOf, objectKey } from './store-keys.ts';
