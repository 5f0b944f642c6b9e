export { AdmissionChain, type WriteAdmission } from './chain.ts';
export {
  noConfiguration,
  type PluginConfiguration,
  readAdmissionConfiguration,
} from './configuration/plugin-configuration.ts';
export type { OpenPluginFile } from './configuration/plugin-files.ts';
export type { EventRateLimitParts, TakeEventTokens } from './event-rate-limit/event-rate-limit.ts';
export { namespaceLifecycle } from './namespaces/namespace-lifecycle.ts';
export type { OwnerResource } from './owner-references/owner-references-permission.ts';
export { defaultPluginNames, type PluginName, pluginNames, removalOf } from './plugin-names.ts';
export { isImplemented, type PluginParts, pluginsOf } from './plugins.ts';
export type { KindObjects, KindReadOptions } from './policies/param-objects.ts';
export type { QuotaStore } from './resource-quota/quota-store.ts';
export type {
  AdmissionAttributes,
  AdmissionPlugin,
  AdmissionReport,
  AdmissionStep,
  Operation,
  Refusal,
  ReleaseTaken,
} from './types.ts';
export type { GroupVersionKind, VersionedResource } from './versioned-resource.ts';
