export { failedAfterWriting } from './errors/after-writing.ts';
export { apiErrorOf, errorReply, isUnexpected, statusReply } from './errors/error-reply.ts';
export { causeOf, FailedWithHeaders } from './errors/failed-with-headers.ts';
export { type StatusEncoder, statusEncoder } from './errors/status-encoder.ts';
export { attributesOf, selectedNameOf } from './info/attributes.ts';
export { forbidden } from './info/forbidden.ts';
export { historyPageSize, isHistoryPath, parseHistoryInfo } from './info/history-info.ts';
export { groupNotFound, pageNotFound } from './info/not-found.ts';
export {
  booleanParameter,
  emptyQuery,
  integerParameter,
  optionalBoolean,
  parseQuery,
  type Query,
  queryValue,
} from './info/query.ts';
export { isRequestId } from './info/request-id.ts';
export {
  applyCborMediaType,
  applyMediaType,
  infoOrRefusal,
  isLongRunning,
  isReadOnly,
  parseRequestInfo,
} from './info/request-info.ts';
export { chunkPayload, frameChunk, PAUSE } from './message/chunk-frame.ts';
export {
  addStep,
  before,
  CLIENT_GONE_CODE,
  clientGone,
  excludeTime,
  type Identified,
  LazySignal,
  type Observed,
  type RequestStep,
  type ResourceContext,
  type Trace,
  type WrittenObject,
} from './message/contexts.ts';
export { type LocalRequest, localRequest } from './message/local-request.ts';
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
  Received,
  Reply,
  RequestInfo,
  ResourceRequest,
  Route,
  Stage,
  StreamReply,
  StreamSignals,
  UpgradeReply,
  UserInfo,
  WithInfo,
} from './message/types.ts';
export {
  CBOR,
  CBOR_SEQUENCE,
  isWatch,
  jsonObjectShapes,
  type MediaRange,
  Negotiator,
  objectShapes,
  type ProtobufKind,
  parseAccept,
  parseMediaRange,
  prettyChunks,
  prettyJson,
  type Representation,
  type ResourceShapes,
  readProtobuf,
  readProtobufInPieces,
  type ServedFormats,
  type Shape,
  wantsPretty,
  writeProtobuf,
} from './negotiation/index.ts';
export { acceptWebSocket, refuseForeignPage } from './web-socket/handshake.ts';
export { webSocketReply } from './web-socket/web-socket-reply.ts';
