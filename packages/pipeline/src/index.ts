export { type ApiServer, createServer, type ServerOptions, type ServerThread } from './api-server.ts';
export {
  type AuditLines,
  type AuditOptions,
  type AuditSink,
  auditMetrics,
  auditPolicyEvaluator,
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
  SharedFile,
  versionedSink,
  webhookSink,
} from './audit/index.ts';
export { PriorityLevel, SharedInflight } from './flow-control/index.ts';
export { metricsRoute } from './metrics/route.ts';
export {
  joinedUses,
  type RecordOwner,
  type ReplicaRecord,
  type RequestRecord,
  RequestRecords,
  SLOW_REQUEST_MS,
} from './records/index.ts';
export type { AccessLogSample } from './stages/access-log.ts';
export { openTracing, Tracing, tracedStore } from './tracing/index.ts';
