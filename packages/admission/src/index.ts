export { AdmissionChain, type WriteAdmission } from './chain.ts';
export {
  noConfiguration,
  type PluginConfiguration,
  readAdmissionConfiguration,
} from './configuration/plugin-configuration.ts';
export type { CurrentContent, OpenPluginFile, PluginFile, ReadFile } from './configuration/plugin-files.ts';
export { namespaceLifecycle } from './namespaces/namespace-lifecycle.ts';
export type { OwnerResource } from './owner-references/owner-references-permission.ts';
export { defaultPluginNames, type PluginName, pluginNames, removalOf } from './plugin-names.ts';
export { isImplemented, type PluginParts, pluginsOf } from './plugins.ts';
export type { KindObjects, KindReadOptions } from './policies/param-objects.ts';
export type { QuotaStore, Replaced, StoredQuota } from './resource-quota/quota-store.ts';
export type {
  AdmissionAttributes,
  AdmissionPlugin,
  AdmissionReport,
  AdmissionStep,
  Operation,
  Refusal,
  Reinvocation,
  ReleaseTaken,
  RequestedWrite,
  ResourceTarget,
  Verdict,
  WriteTarget,
} from './types.ts';
export type { GroupVersionKind, GroupVersionResource, VersionedResource } from './versioned-resource.ts';
