export { conversionCodecs, conversionMessages } from './convert/conversion-codecs.ts';
export type { StoredEncoding } from './convert/stored-form.ts';
export { createRegistry, defaultRegistryLimits, type Registry, type RegistryOptions } from './registry.ts';
export { type CachedResourceOptions, cachedResourceOf } from './resource/cached-resource.ts';
export { OwnWrites } from './resource/own-writes.ts';
export type { RegistryLimits } from './resource/registry-context.ts';
export {
  cacheNameOf,
  DEFAULT_STORE_PREFIX,
  internalKey,
  keyPrefixOf,
  objectKey,
} from './resource/store-keys.ts';
export type { LocalHealth, LocalPrograms } from './virtual/component-statuses.ts';
export type { Access } from './virtual/reviews/review-resources.ts';
export {
  type Answerer,
  answering,
  type VirtualResource,
  type VirtualResources,
} from './virtual/virtual-resource.ts';
