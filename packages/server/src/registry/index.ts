export { type CachedResourceOptions, cachedResourceOf } from './cached-resource.ts';
export { conversionCodecs, conversionMessages } from './conversion-codecs.ts';
export { OwnWrites } from './own-writes.ts';
export { createRegistry, defaultRegistryLimits, type Registry, type RegistryOptions } from './registry.ts';
export type { RegistryLimits } from './registry-context.ts';
export type { Access } from './reviews/review-resources.ts';
export { cacheNameOf, DEFAULT_STORE_PREFIX, internalKey, keyPrefixOf, objectKey } from './store-keys.ts';
export type { StoredEncoding } from './stored-form.ts';
export { type Answerer, answering, type VirtualResource, type VirtualResources } from './virtual-resource.ts';
