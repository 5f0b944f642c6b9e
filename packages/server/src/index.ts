export {
  type CheckResult,
  type HealthCheck,
  HealthChecks,
  type HealthEndpoint,
  healthEndpoints,
  healthy,
  StartStep,
  unhealthy,
} from './health/checks.ts';
export { Health, type HealthAnswer, type HealthOptions } from './health/health.ts';
export { healthRoutes } from './health/routes.ts';
export { chunkPayload, frameChunk } from './http/chunk-frame.ts';
export { defaultLimits, type HttpLimits } from './http/limits.ts';
export { type Listener, type ListenOptions, listen, type ServingTls } from './http/listener.ts';
export { type BuildFacts, type VersionInfo, versionInfo, versionRoutes } from './info/version.ts';
export { type ProcessReadings, processMetrics } from './metrics/process-metrics.ts';
export { metricsRoute } from './metrics/route.ts';
export { type OpsOptions, type OpsServer, serveOps } from './ops/ops-server.ts';
export { type ApiServer, createServer, type ServerOptions } from './pipeline/api-server.ts';
export { pageNotFound, type ResourceContext } from './pipeline/dispatch.ts';
export { type LocalRequest, localRequest } from './pipeline/local-request.ts';
export { parseRequestInfo } from './pipeline/request-info.ts';
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
} from './pipeline/types.ts';
export {
  cachedResourceOf,
  cacheNameOf,
  createRegistry,
  DEFAULT_STORE_PREFIX,
  defaultRegistryLimits,
  internalKey,
  keyPrefixOf,
  objectKey,
  type Registry,
  type RegistryLimits,
  type RegistryOptions,
} from './registry/index.ts';
