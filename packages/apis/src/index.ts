export {
  approvalOf,
  isStructural,
  structuralProblems,
  unsupportedSchema,
} from './apiextensions/custom-resource-definition/index.ts';
export { scaleTable } from './autoscaling/scale.ts';
export { qosClassOf } from './core/pod/index.ts';
export { clusterChecks } from './core/shared/pod-spec/cluster-checks.ts';
export { tolerationErrors } from './core/shared/validation/scheduling.ts';
export {
  allVerbs,
  defineResource,
  scaleSubresource,
  statusSubresource,
  strategyOf,
} from './define-resource.ts';
export { type FieldReader, fieldReader } from './field-reader.ts';
export { finalizerWarnings } from './finalizer-warnings.ts';
export { findKind } from './find-kind.ts';
export { fieldDeclaredIn } from './gates/declared-fields.ts';
export {
  FeatureGateError,
  type FeatureGates,
  type GateStage,
  gateOptions,
  gatesOf,
  resolveFeatureGates,
} from './gates/feature-gates.ts';
export { withOpenParts } from './gates/gated-parts.ts';
export { defaultServerFeatures, type ServerFeatures, serverFeatures } from './gates/server-features.ts';
export { type GroupDeclaration, versionPriority } from './group-declaration.ts';
export * from './lifecycle.ts';
export * from './meta/discovery.ts';
export { documentedKinds } from './meta/documented-kinds.ts';
export { ObjectMeta } from './meta/object-meta.ts';
export * from './meta/options.ts';
export type { ObjectConverter } from './object-converter.ts';
export { type TypeOfOtherRelease, typesOfOtherReleases } from './other-releases.ts';
export * from './preferred-version.ts';
export * from './registry.ts';
export type * from './resource-type.ts';
export { RuntimeConfigError, runtimeConfig } from './runtime-config.ts';
export { keepStatus, restoreAllButStatus } from './status-strategy.ts';
export { ageCell, ageColumn, column, nameCell, nameColumn } from './table.ts';
export type { GuardedKey, WriteGuard } from './write-guard.ts';
