export { copyBytes } from './copy-bytes.ts';
export type { Cancel, Clock, Env, ObservedQueue, Random, WorkObserver } from './env.ts';
export { messageOf } from './error-message.ts';
export { type Fence, fenceHeader, formatFence, parseFence } from './fence.ts';
export {
  type FieldError,
  type FieldErrorType,
  fieldError,
  MAX_FIELD_ERRORS,
  messageWithoutValue,
} from './field-error.ts';
export { checkFiniteOptions, finiteNumber, type NumberBounds } from './finite-number.ts';
export {
  compareVersions,
  formatApiVersion,
  type GroupVersion,
  type GroupVersionKind,
  parseApiVersion,
} from './group-version.ts';
export type { Int64 } from './int64.ts';
export type { LogFields, Logger, LogVerbosity } from './log.ts';
export { type ApiObject, hasDeletionTimestamp, type ObjectMeta, type OwnerReference } from './meta.ts';
export {
  type CounterSeries,
  type Exemplar,
  type Family,
  type GaugeSeries,
  type HistogramSeries,
  type MetricDefinition,
  type Metrics,
  type MetricsFormat,
  type MetricsSource,
  type MetricType,
  requestDurationBuckets,
} from './metrics.ts';
export type { DefinitionNames } from './names/definitions.ts';
export {
  type GroupKey,
  type NameLookups,
  type Names,
  type Naming,
  namesFor,
  namings,
  protobufMagic,
} from './names/names.ts';
export { namingOf } from './names/naming-of.ts';
export { ownBytes } from './own-bytes.ts';
export {
  ApiError,
  type DeniedStatus,
  errors,
  type Status,
  type StatusCause,
  type StatusDetails,
  type Subject,
} from './status.ts';
