export type { ClientTrustFacts, ClientTrustMap } from './access/client-trust-map.ts';
export type { SystemConfigMap } from './access/system-config-map.ts';
export { type Api, type ApiOptions, createApi } from './api.ts';
export {
  type AuditLines,
  type AuditOptions,
  AuditPolicyError,
  type AuditSink,
  auditJudge,
  auditMetrics,
  type BatchOptions,
  BatchSink,
  defaultAuditPolicy,
  descriptorLines,
  EventSizes,
  limitedSink,
  lineOf,
  logSink,
  type PostJson,
  RotatingFile,
  readAuditPolicy,
  versionedSink,
  webhookSink,
} from './audit/index.ts';
export {
  type ConnectLimits,
  type ConnectOptions,
  defaultAddressTypes,
  type IdentityFields,
  type NodeAgentOptions,
} from './connect/index.ts';
export type { FlowControlOptions } from './flow-control/index.ts';
export { healthRoutes } from './health/routes.ts';
export { type Listener, type ListenOptions, listen, type ServingTls } from './http/listener.ts';
export { defaultLimits, type HttpLimits } from './http/shared/limits.ts';
export { versionRoutes } from './info/version.ts';
export { metricsRoute } from './metrics/route.ts';
export { type ApiServer, createServer, type ServerOptions } from './pipeline/api-server.ts';
export {
  type Access,
  type Answerer,
  answering,
  type CachedResourceOptions,
  cachedResourceOf,
  cacheNameOf,
  conversionCodecs,
  conversionMessages,
  DEFAULT_STORE_PREFIX,
  defaultRegistryLimits,
  internalKey,
  keyPrefixOf,
  type LocalHealth,
  type LocalPrograms,
  OwnWrites,
  objectFeed,
  objectKey,
  type RegistryLimits,
  type StoredEncoding,
  type VirtualResource,
  type VirtualResources,
} from './registry/index.ts';
export { clientGone } from './request/abort.ts';
export { chunkPayload, frameChunk } from './request/chunk-frame.ts';
export type { ResourceContext } from './request/contexts.ts';
export { type LocalRequest, localRequest } from './request/local-request.ts';
export { pageNotFound } from './request/not-found.ts';
export { parseRequestInfo } from './request/request-info.ts';
export type {
  Answer,
  ApiRequest,
  ApiVerb,
  Authorized,
  BodySink,
  BytesReply,
  ChunksReply,
  Handler,
  HeaderList,
  NonResourceRequest,
  Reply,
  RequestInfo,
  ResourceRequest,
  Route,
  StreamReply,
  StreamSignals,
} from './request/types.ts';
export {
  addressRanges,
  DEFAULT_ADDRESS_RANGE,
  DEFAULT_PORT_RANGE,
  type ServiceRanges,
} from './services/allocate/service-ranges.ts';
export { BadRange, portRange } from './services/allocate/value-range.ts';
export type { ServiceUpkeep, UpkeepOptions } from './services/service-upkeep.ts';
export { openTracing, type Tracing, tracedStore } from './tracing/index.ts';
