export type { Connector, ConnectTarget } from './context/connector.ts';
export type { CoreObjects, CoreResource } from './context/core-objects.ts';
export type { LocalHealth, LocalPrograms } from './context/local-programs.ts';
export type { RegistryLimits } from './context/paths.ts';
export type { Threads } from './context/threads.ts';
export { conversionCodecs, conversionMessages } from './convert/conversion-codecs.ts';
export { trackingIn } from './convert/ownership.ts';
export type { StoredEncoding } from './convert/storage-codec.ts';
export { encodeObject, finish } from './encode/encodings.ts';
export { cachedObjects, followObjects } from './internal/followed-objects.ts';
export type { ServerContext } from './internal/internal-objects.ts';
export type { InternalResource, ObjectName, StoredObject } from './internal/internal-resource.ts';
export { ObjectLoop, type RelatedObjects } from './internal/object-loop.ts';
export { objectSource } from './internal/object-source.ts';
export { countStoredVersions, type StoredKind } from './internal/stored-version-counts.ts';
export {
  type SchemaCompilers,
  type SchemaCompilersOptions,
  schemaCompilers,
} from './kind-compiler.ts';
export type { PastObjects, PastRead } from './past/past-objects.ts';
export {
  createRegistry,
  type DynamicResource,
  type DynamicResources,
  type Registry,
  type RegistryOptions,
  type ServedApi,
} from './registry.ts';
export { everythingFilter } from './request/object-filter.ts';
export { bytesReply, queryOf, responseFormatOf } from './request/reply.ts';
export { managerOf } from './request/write-options.ts';
export { cachedResourceOf, RecentWrites } from './resource/cached-resource.ts';
export type { ChangeRecorder, RecordedChange } from './resource/change-recorder.ts';
export type { FieldHistory, FieldQuestion, FieldWrite, FoundWrite } from './resource/field-history.ts';
export type { HooksOf } from './resource/resource-table.ts';
export { ResourceTable } from './resource/resource-table.ts';
export { type ServedResource, type StoredResource, subjectOf } from './resource/served-resource.ts';
export { cacheNameOf, DEFAULT_STORE_PREFIX, internalKey, objectKey } from './resource/store-keys.ts';
export { unlessUnreadable } from './resource/unreadable-object-error.ts';
export type { HookedWrite, PendingWrite, WriteHooks } from './resource/write-hooks.ts';
export type { Access } from './virtual/reviews/review-resources.ts';
