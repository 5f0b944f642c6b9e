export {
  type ApprovalState,
  approvalOf,
  isStructural,
  structuralProblems,
  type UnsupportedSchema,
  unsupportedSchema,
} from './apiextensions/custom-resource-definition/index.ts';
export { TokenRequest } from './authentication/token-request.ts';
export { Scale, scaleTable } from './autoscaling/scale.ts';
export { Binding } from './core/binding.ts';
export { type QosClass, qosClassOf } from './core/pod/index.ts';
export { type ClusterRules, clusterChecks } from './core/shared/pod-spec/cluster-checks.ts';
export { tolerationErrors } from './core/shared/validation/scheduling.ts';
export {
  allVerbs,
  defineResource,
  type ResourceDeclaration,
  scaleSubresource,
  statusSubresource,
  strategyOf,
} from './define-resource.ts';
export { type FieldReader, fieldReader, textField } from './field-reader.ts';
export { fieldDeclaredIn } from './gates/declared-fields.ts';
export {
  FeatureGateError,
  type FeatureGates,
  type Gate,
  type GateStage,
  gateAt,
  gateOptions,
  gatesOf,
  resolveFeatureGates,
} from './gates/feature-gates.ts';
export { type GatedParts, withOpenParts } from './gates/gated-parts.ts';
export {
  defaultServerFeatures,
  type ServerFeatures,
  serverFeatures,
  serverGates,
} from './gates/server-features.ts';
export type { GroupDeclaration } from './group-declaration.ts';
export type { KindDeclaration } from './kind-declaration.ts';
export * from './lifecycle.ts';
export { Condition } from './meta/condition.ts';
export * from './meta/discovery.ts';
export { documentedKinds } from './meta/documented-kinds.ts';
export { LabelSelector } from './meta/label-selector.ts';
export { ListMeta } from './meta/list-meta.ts';
export { ObjectMeta, OwnerReference } from './meta/object-meta.ts';
export * from './meta/options.ts';
export { PartialObjectMetadata, PartialObjectMetadataList } from './meta/partial-object-metadata.ts';
export { Status } from './meta/status.ts';
export { Table } from './meta/table.ts';
export { WatchEvent } from './meta/watch-event.ts';
export type { ObjectConverter } from './object-converter.ts';
export { Eviction } from './policy/eviction/v1.ts';
export * from './preferred-version.ts';
export * from './registry.ts';
export type * from './resource-type.ts';
export { RuntimeConfigError, runtimeConfig } from './runtime-config.ts';
export { keepStatus, restoreAllButStatus, statusRules } from './status-strategy.ts';
export { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from './table.ts';
export type { GuardedKey, WriteGuard } from './write-guard.ts';
