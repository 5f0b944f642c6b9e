export { conversionCodecs, conversionMessages } from './convert/conversion-codecs.ts';
export { trackingIn } from './convert/ownership.ts';
export type { StoredEncoding } from './convert/stored-form.ts';
export { encodeObject, finish } from './encode/encodings.ts';
export { type InternalObjects, internalObjects, type ServerContext } from './internal/internal-objects.ts';
export type { InternalResource, ObjectName, StoredObject } from './internal/internal-resource.ts';
export { objectFeed } from './internal/object-feed.ts';
export {
  createRegistry,
  defaultRegistryLimits,
  type HooksOf,
  type Registry,
  type RegistryOptions,
} from './registry.ts';
export { everythingFilter } from './request/object-filter.ts';
export { bytesReply, formOf, queryOf } from './request/reply.ts';
export { type CachedResourceOptions, cachedResourceOf } from './resource/cached-resource.ts';
export type { Connector } from './resource/connector.ts';
export type { CoreObjects, CoreResource } from './resource/core-objects.ts';
export type { LocalHealth, LocalPrograms } from './resource/local-programs.ts';
export { OwnWrites } from './resource/own-writes.ts';
export type { RegistryLimits } from './resource/registry-context.ts';
export type { ServedResource } from './resource/served-resource.ts';
export {
  cacheNameOf,
  DEFAULT_STORE_PREFIX,
  internalKey,
  keyPrefixOf,
  objectKey,
} from './resource/store-keys.ts';
export type { VirtualResource, VirtualResources } from './resource/virtual-resource.ts';
export type { HookedWrite, PendingWrite, WriteHooks } from './resource/write-hooks.ts';
export { type Answerer, answering } from './virtual/answering.ts';
export type { Access } from './virtual/reviews/review-resources.ts';
