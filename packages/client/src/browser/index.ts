/** The client in browsers: reads and writes over `fetch`, informers and streams of changes. It needs no module of Node. */
export { ApiError, type Env, type Logger, type Names, type Naming, namesFor } from '@orch/machinery';
export { silentLogger } from '@orch/machinery/env';
export type { Client } from '../client.ts';
export { namingOfServer } from '../connect/naming-of-server.ts';
export { type ClientOptions, createClient } from '../create-client.ts';
export type { DiscoveredResource, Discovery, DiscoverySnapshot } from '../discovery/types.ts';
export {
  type FailureReason,
  hasReason,
  isAlreadyExists,
  isApiError,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isRefusedRequest,
  isStatus,
  isTooManyRequests,
  isUnauthorized,
} from '../errors/guards.ts';
export { informerFactory } from '../informer/factory.ts';
export { isExpired } from '../informer/faults.ts';
export { type Followed, type FollowOptions, type FollowSource, follow } from '../informer/follow.ts';
export {
  type FollowSelection,
  followObject,
  followObjects,
  followTables,
} from '../informer/follow-objects.ts';
export type {
  Change,
  IndexFunction,
  Informer,
  InformerFactory,
  InformerOptions,
  Store,
} from '../informer/types.ts';
export { hasCondition, type WaitOptions, waitFor } from '../informer/wait-for.ts';
export { type ObjectKey, objectKey, splitKey } from '../objects/object-key.ts';
export type { KeyedList } from '../resources/keyed-list.ts';
export type { ChangesOptions, HistoryClient, ObjectChange } from '../rest/history-client.ts';
export type { ApplyConfiguration, MergePatch, MetadataPatch, StrategicPatch } from '../rest/patches.ts';
export { collectionPath, objectPath } from '../rest/paths.ts';
export { RefusedRequest } from '../rest/refused-request.ts';
export type { StreamRequest } from '../rest/requester.ts';
export type { FieldSelection, LabelCondition, LabelSelection } from '../rest/selection.ts';
export type { IncludeObject, Table, TableColumn, TableRow } from '../rest/table.ts';
export type { TableClient, TableEvent } from '../rest/table-client.ts';
export type * from '../rest/types.ts';
export {
  isTransportError,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.ts';
export { builtinResources } from '../types/builtin-resources.ts';
export type * as kinds from '../types/kinds.ts';
export { browserEnv } from './browser-env.ts';
export { type FetchTransportOptions, fetchTransport } from './fetch-transport.ts';
