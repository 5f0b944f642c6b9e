export {
  ApiError,
  type ApiObject,
  type Clock,
  type Env,
  type Fence,
  formatFence,
  type Int64,
  type Logger,
  type Metrics,
  type Names,
  type Naming,
  namesFor,
  type ObjectMeta,
  type OwnerReference,
  parseFence,
  type Random,
  type Status,
  type StatusCause,
  type StatusDetails,
} from '@orch/machinery';
export {
  createLogger,
  type SystemEnv,
  type SystemEnvOptions,
  silentLogger,
  systemEnv,
} from '@orch/machinery/env';
export { cloneJson } from '@orch/machinery/json';
export { RateLimit, type RateLimitOptions, WorkQueue, type WorkQueueOptions } from '@orch/machinery/queue';
export { type ApplyObjectsOptions, applyObjects } from './calls/apply-objects.ts';
export { applyYaml } from './calls/apply-yaml.ts';
export { evict } from './calls/evict.ts';
export { type PodLogOptions, podLogs } from './calls/pod-logs.ts';
export { readScale, type Scale, type ScaleTarget, setScale } from './calls/scale.ts';
export { yamlObjects } from './calls/yaml-objects.ts';
export type { Client } from './client.ts';
export {
  type ClientConfig,
  type ClientConfigOptions,
  type ContextChoice,
  type ContextSummary,
  loadClientConfig,
  readClientConfig,
  type UserOfFile,
} from './config/client-config.ts';
export { ConfigError } from './config/config-error.ts';
export { type ConfigPlaces, homeConfigFile, listedConfigFiles } from './config/default-files.ts';
export { withEnvironmentProxy } from './config/environment-proxy.ts';
export { type InClusterOptions, inClusterConfig, isInCluster } from './config/in-cluster.ts';
export { createClient } from './connect/connect.ts';
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from './connect/load-config.ts';
export { namingOfServer } from './connect/naming-of-server.ts';
export { type ControllerDefinition, controller } from './controller/controller.ts';
export { type ControllerLoop, controllerLoop, type LoopOptions } from './controller/controller-loop.ts';
export { type RunOptions, runControllers, runLoops } from './controller/run-controllers.ts';
export {
  type InformerSourceOptions,
  indexSource,
  informerSource,
  type OwnerKind,
  ownerSource,
  periodicSource,
} from './controller/sources.ts';
export type { Controller, ControllerContext, Reconciled, Source } from './controller/types.ts';
export type { CopyOptions } from './copy/container-programs.ts';
export { CopyError } from './copy/copy-error.ts';
export { type CopyFromPodOptions, copyFromPod } from './copy/copy-from-pod.ts';
export { type CopyToPodOptions, copyToPod } from './copy/copy-to-pod.ts';
export type { ClientOptions } from './create-client.ts';
export {
  type CertificateOptions,
  certificateCredentials,
  type PemSource,
} from './credentials/certificate.ts';
export { combinedCredentials, withCertificate } from './credentials/combined.ts';
export { CredentialError, type CredentialProblem } from './credentials/credential-error.ts';
export {
  type ExecCluster,
  type ExecConfig,
  type ExecContext,
  execCredentials,
  type InteractiveMode,
  type PluginPolicy,
} from './credentials/exec/index.ts';
export {
  basicCredentials,
  fixedCredentials,
  noCredentials,
  tokenCredentials,
} from './credentials/fixed.ts';
export { type Impersonation, impersonatingCredentials } from './credentials/impersonation.ts';
export {
  type OidcConfig,
  type OidcContext,
  oidcCredentials,
  type RefreshedTokens,
  type SharedTokens,
  type StoredTokens,
} from './credentials/oidc/index.ts';
export { type TokenFileOptions, tokenFileCredentials } from './credentials/token-file.ts';
export type { Credentials, Identity } from './credentials/types.ts';
export type { DiscoveredResource, Discovery, DiscoverySnapshot } from './discovery/types.ts';
export {
  type FailureReason,
  hasReason,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRefusedRequest,
  isServerTimeout,
  isServiceUnavailable,
  isStatus,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from './errors/guards.ts';
export {
  type EventRecorderOptions,
  eventRecorder,
  type RunningEventRecorder,
} from './events/event-recorder.ts';
export type { EventNote, EventRecorder } from './events/types.ts';
export { informerFactory } from './informer/factory.ts';
export { isExpired } from './informer/faults.ts';
export { type Followed, type FollowOptions, type FollowSource, follow } from './informer/follow.ts';
export {
  changedSince,
  type FollowSelection,
  followObject,
  followObjects,
  followTables,
} from './informer/follow-objects.ts';
export { createInformer, type InformerSettings } from './informer/informer.ts';
export type {
  Change,
  IndexFunction,
  Informer,
  InformerFactory,
  InformerOptions,
  Store,
} from './informer/types.ts';
export { hasCondition, type WaitOptions, waitFor } from './informer/wait-for.ts';
export { fencedTransport } from './leader/fenced-transport.ts';
export {
  candidateIdentity,
  type Ended,
  type LeaderElectionOptions,
  type LeaderElector,
  leaderElector,
} from './leader/leader-elector.ts';
export { type Leadership, LeadershipLost } from './leader/leadership.ts';
export { fenceInUserAgent } from './leader/user-agent.ts';
export {
  type ElectionChoice,
  type ManagedServer,
  type ManagerConfig,
  type ManagerOptions,
  runManager,
  type ServerContext,
} from './manager/manager.ts';
export type { OpsOptions } from './manager/ops-server.ts';
export { type NewCondition, withCondition } from './objects/conditions.ts';
export { addFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './objects/finalizers.ts';
export { keyOf, type ObjectKey, objectKey, splitKey } from './objects/object-key.ts';
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  type OwnerReferenceOptions,
  ownerReferenceTo,
  withOwner,
  withoutOwner,
} from './objects/owner-references.ts';
export { retryOnConflict } from './objects/retry-on-conflict.ts';
export type { KeyedList } from './resources/keyed-list.ts';
export type { ChangesOptions, HistoryClient, ObjectChange } from './rest/history-client.ts';
export type { ApplyConfiguration, MergePatch, MetadataPatch, StrategicPatch } from './rest/patches.ts';
export { collectionPath, objectPath } from './rest/paths.ts';
export { RefusedRequest } from './rest/refused-request.ts';
export type { StreamRequest } from './rest/requester.ts';
export type { FieldSelection, LabelCondition, LabelSelection } from './rest/selection.ts';
export type { IncludeObject, Table, TableColumn, TableRow } from './rest/table.ts';
export type { TableClient, TableEvent } from './rest/table-client.ts';
export type * from './rest/types.ts';
export type { ServerWarning } from './rest/warnings.ts';
export type { CommandOutcome, CommandStreams, TerminalSize } from './streams/command-streams.ts';
export { openTunnel, type TunnelRequest, type WebSocketTunnel } from './streams/open-web-socket.ts';
export { type PodName, type PodStreams, type PodStreamsOptions, podStreams } from './streams/pod-streams.ts';
export type { ConnectionSettings } from './transport/connection-settings.ts';
export type { HttpProtocol } from './transport/dial.ts';
export { type MeasuredTransportOptions, measuredTransport } from './transport/measured-transport.ts';
export { type NetworkTransportOptions, networkTransport } from './transport/network-transport.ts';
export {
  isTransportError,
  type Outcome,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport/transport.ts';
export { type BuiltinResources, type ObjectOf, type TypedClient, typed } from './typed/typed-client.ts';
export { builtinResources } from './types/builtin-resources.ts';
export type * as kinds from './types/kinds.ts';
