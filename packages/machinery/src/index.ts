export {
  abortable,
  aborted,
  anySignal,
  DeadlineExceeded,
  onAbort,
  type ScopedSignal,
  sleep,
  withDeadline,
} from './concurrency/abort.ts';
export { AsyncQueue } from './concurrency/async-queue.ts';
export { Backoff } from './concurrency/backoff.ts';
export { type Deadline, DeadlineQueue, disarm } from './concurrency/deadline-queue.ts';
export { type Deferred, deferred } from './concurrency/deferred.ts';
export { Semaphore } from './concurrency/semaphore.ts';
export { type BucketRate, TokenBucket, TokenBuckets } from './concurrency/token-bucket.ts';
export { atOnce, Pace, Turns, type Work } from './concurrency/turns.ts';
export { UsedResource } from './concurrency/used-resource.ts';
export { whenFulfilled, whenRejected } from './concurrency/when.ts';
export { yieldToEventLoop } from './concurrency/yield-to-event-loop.ts';
export { systemClock } from './env/clock.ts';
export { keepProcessAlive } from './env/keep-alive.ts';
export { descriptorWrite, type LineWriter, lineWriter, type RawWrite } from './env/line-writer.ts';
export { createLogger, type LoggerOptions, silentLogger } from './env/logger.ts';
export type { MetricRelease } from './env/metric-lifecycle.ts';
export { createMetrics, type MetricsOptions } from './env/metrics.ts';
export { systemRandom } from './env/random.ts';
export { type SystemEnv, type SystemEnvOptions, systemEnv } from './env/system-env.ts';
export { createTextLogger, type TextLoggerOptions } from './env/text-logger.ts';
export * from './env.ts';
export { messageOf } from './error-message.ts';
export { type Fence, fenceHeader, formatFence, parseFence } from './fence.ts';
export * from './field-error.ts';
export * from './finite-number.ts';
export {
  type FormatName,
  formats,
  isFormatName,
  type ValueFormat,
  validateFormat,
  validateNamePrefix,
} from './formats/formats.ts';
export { cidr, ip, nonSpecialIp } from './formats/network.ts';
export {
  cIdentifier,
  conditionReason,
  configMapKey,
  csiDriverName,
  dns1035label,
  dns1123label,
  dns1123subdomain,
  envVarName,
  fullyQualified,
  httpHeaderName,
  labelValue,
  pathSegment,
  percent,
  portName,
  qualifiedName,
  sysctl,
  type TextFormat,
  wildcardSubdomain,
} from './formats/text.ts';
export { visibleText } from './formats/visible-text.ts';
export {
  compareVersions,
  formatApiVersion,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
} from './group-version.ts';
export type { Int64 } from './int64.ts';
export { CompactJson } from './json/compact-json.ts';
export { findDuplicateKeys } from './json/duplicates.ts';
export { encodeJson, encodeJsonPretty, jsonText } from './json/encode.ts';
export {
  approximateNumber,
  declaredInteger,
  type ExactNumber,
  exactInteger,
  exactNumberText,
  isExactNumber,
  isInt64,
  jsonInteger,
  numberFromText,
} from './json/exact-number.ts';
export {
  asList,
  asNumber,
  asObject,
  asObjects,
  asStringMap,
  asStrings,
  asText,
  type JsonObject,
  type MutableJsonObject,
  objectAt,
  specOf,
  statusOf,
} from './json/fields.ts';
export { MAX_JSON_DEPTH, type ParseJsonOptions, parseJson } from './json/parse.ts';
export { JsonSlice } from './json/slice.ts';
export { JsonSyntaxError } from './json/syntax-error.ts';
export { cloneJson, deepFreeze, isJsonObject, jsonEquals, setField } from './json/values.ts';
export { noteWidth, widthOf } from './json/width.ts';
export { evaluateJsonPath } from './json-path/evaluate.ts';
export {
  type JsonPathAction,
  JsonPathError,
  jsonPathProblem,
  parseJsonPath,
  parseJsonPathAction,
} from './json-path/parse.ts';
export type { Filter, FilterOperator, JsonPath, JsonPathStep, Slice } from './json-path/steps.ts';
export * from './log.ts';
export * from './meta.ts';
export * from './metrics.ts';
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
export * from './net/ip-address.ts';
export * from './net/ip-range.ts';
export { child, fieldPath, index, key } from './object-meta/field-path.ts';
export { generatedName } from './object-meta/generated-name.ts';
export { validateFieldManager, validateManagedFields } from './object-meta/managed-fields.ts';
export { validateOwnerReferences } from './object-meta/owner-references.ts';
export {
  type ObjectMetaRules,
  validateAnnotations,
  validateFinalizer,
  validateLabels,
  validateObjectMeta,
} from './object-meta/validate.ts';
export { ownBytes } from './own-bytes.ts';
export {
  addQuantities,
  canonicalQuantity,
  canonicalResourceQuantity,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
  quantityInteger,
  quantityNumber,
  quantitySign,
  roundUpToMilli,
  subtractQuantities,
} from './quantity/quantity.ts';
export {
  type FieldRequirement,
  type FieldSelector,
  fieldSelector,
  formatFieldSelector,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export { parseLabelSelector } from './selectors/label-parser.ts';
export {
  everything,
  formatLabelSelector,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelector,
  labelSelectorFromMap,
  labelSelectorFromObject,
  nothing,
} from './selectors/label-selector.ts';
export { SelectorError } from './selectors/selector-error.ts';
export * from './status.ts';
export {
  durationMs,
  formatDuration,
  formatDurationMs,
  parseDuration,
  parseNamedDuration,
} from './time/duration.ts';
export { humanAge } from './time/human-age.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  type Instant,
  microTimeOf,
  parseTime,
  timeMs,
  ZERO_TIME,
} from './time/rfc3339.ts';
export {
  ConfigFileError,
  ConfigValue,
  changeYaml,
  encodeYaml,
  type LineOf,
  type ParseYamlOptions,
  parsePlainYaml,
  parseYaml,
  type YamlChange,
  YamlSyntaxError,
  yamlLines,
} from './yaml/index.ts';
