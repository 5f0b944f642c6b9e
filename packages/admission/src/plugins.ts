import { alwaysAdmit, alwaysDeny } from './always/always.ts';
import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import type { SignerParts } from './certificates/signer-permission.ts';
import type { ConfigurationParts } from './configuration/plugin-configuration.ts';
import { type EventRateLimitParts, eventRateLimit } from './event-rate-limit/event-rate-limit.ts';
import { type ImagePolicyParts, imagePolicyWebhook } from './image-policy/image-policy-webhook.ts';
import { type LimitRangerParts, limitRanger } from './limit-ranger/limit-ranger.ts';
import {
  type NamespaceAutoProvisionParts,
  namespaceAutoProvision,
} from './namespaces/namespace-auto-provision.ts';
import { namespaceExists } from './namespaces/namespace-exists.ts';
import { type NamespaceLifecycleParts, namespaceLifecycle } from './namespaces/namespace-lifecycle.ts';
import { defaultIngressClass } from './networking/default-ingress-class.ts';
import { denyServiceExternalIPs } from './networking/deny-service-external-ips.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import type { NodeRestrictionParts } from './node-restriction/node-write.ts';
import { taintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import {
  type OwnerReferencesParts,
  ownerReferencesPermission,
} from './owner-references/owner-references-permission.ts';
import { type PluginName, pluginNames } from './plugin-names.ts';
import { type PodNodeSelectorParts, podNodeSelector } from './pod-node-selector/pod-node-selector.ts';
import { type PodSecurityParts, podSecurity } from './pod-security/pod-security.ts';
import { type PodSecurityPolicyParts, podSecurityPolicy } from './pod-security-policy/pod-security-policy.ts';
import {
  type PodTolerationRestrictionParts,
  podTolerationRestriction,
} from './pod-toleration-restriction/pod-toleration-restriction.ts';
import { alwaysPullImages } from './pods/always-pull-images.ts';
import {
  type DefaultTolerationSecondsParts,
  defaultTolerationSeconds,
} from './pods/default-toleration-seconds.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from './pods/deny-escalating-exec.ts';
import { extendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './pods/limit-pod-hard-anti-affinity-topology.ts';
import { securityContextDeny } from './pods/security-context-deny.ts';
import { mutatingAdmissionPolicy } from './policies/mutating-admission-policy.ts';
import type { PolicyParts } from './policies/policy-parts.ts';
import { validatingAdmissionPolicy } from './policies/validating-admission-policy.ts';
import { type PriorityParts, priority } from './priority/priority.ts';
import { type ResourceQuotaParts, resourceQuota } from './resource-quota/resource-quota.ts';
import { type RuntimeClassParts, runtimeClass } from './runtime-class/runtime-class.ts';
import { type PodGroupProtectionParts, podGroupProtection } from './scheduling/pod-group-protection.ts';
import { type ServiceAccountParts, serviceAccount } from './service-account/service-account.ts';
import type { DefaultClassParts } from './shared/default-class.ts';
import { defaultStorageClass } from './storage/default-storage-class.ts';
import {
  type ClaimResizeParts,
  persistentVolumeClaimResize,
} from './storage/persistent-volume-claim-resize.ts';
import { persistentVolumeLabel } from './storage/persistent-volume-label.ts';
import {
  type StorageProtectionParts,
  storageObjectInUseProtection,
} from './storage/storage-object-in-use-protection.ts';
import type { AdmissionPlugin } from './types.ts';
import { mutatingAdmissionWebhook } from './webhooks/mutating-webhooks.ts';
import { validatingAdmissionWebhook } from './webhooks/validating-webhooks.ts';
import type { WebhookParts } from './webhooks/webhook-parts.ts';

/** Dependencies of the plugins. */
export type PluginParts = ConfigurationParts &
  NodeRestrictionParts &
  OwnerReferencesParts &
  SignerParts &
  DefaultTolerationSecondsParts &
  DefaultClassParts &
  LimitRangerParts &
  NamespaceAutoProvisionParts &
  NamespaceLifecycleParts &
  ServiceAccountParts &
  EventRateLimitParts &
  ImagePolicyParts &
  ClaimResizeParts &
  PodGroupProtectionParts &
  PodNodeSelectorParts &
  PodTolerationRestrictionParts &
  PolicyParts &
  PriorityParts &
  RuntimeClassParts &
  PodSecurityParts &
  PodSecurityPolicyParts &
  ResourceQuotaParts &
  StorageProtectionParts &
  WebhookParts;

/** The constructors of the plugins of this server. Their order is that of their names. */
const catalogue = {
  AlwaysAdmit: alwaysAdmit,
  NamespaceAutoProvision: namespaceAutoProvision,
  NamespaceLifecycle: namespaceLifecycle,
  NamespaceExists: namespaceExists,
  SecurityContextDeny: securityContextDeny,
  LimitPodHardAntiAffinityTopology: limitPodHardAntiAffinityTopology,
  LimitRanger: limitRanger,
  ServiceAccount: serviceAccount,
  NodeRestriction: nodeRestriction,
  TaintNodesByCondition: taintNodesByCondition,
  AlwaysPullImages: alwaysPullImages,
  ImagePolicyWebhook: imagePolicyWebhook,
  // Before PodSecurityPolicy, whose refusal would otherwise hide audit annotations and warnings.
  PodSecurity: podSecurity,
  PodSecurityPolicy: podSecurityPolicy,
  PodNodeSelector: podNodeSelector,
  Priority: priority,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  PodTolerationRestriction: podTolerationRestriction,
  DenyEscalatingExec: denyEscalatingExec,
  DenyExecOnPrivileged: denyExecOnPrivileged,
  EventRateLimit: eventRateLimit,
  ExtendedResourceToleration: extendedResourceToleration,
  PersistentVolumeLabel: persistentVolumeLabel,
  DefaultStorageClass: defaultStorageClass,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  PodGroupProtection: podGroupProtection,
  OwnerReferencesPermissionEnforcement: ownerReferencesPermission,
  PersistentVolumeClaimResize: persistentVolumeClaimResize,
  RuntimeClass: runtimeClass,
  CertificateApproval: certificateApproval,
  CertificateSigning: certificateSigning,
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: defaultIngressClass,
  DenyServiceExternalIPs: denyServiceExternalIPs,
  MutatingAdmissionPolicy: mutatingAdmissionPolicy,
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  ValidatingAdmissionPolicy: validatingAdmissionPolicy,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
  ResourceQuota: resourceQuota,
  AlwaysDeny: alwaysDeny,
} as const satisfies Readonly<Partial<Record<PluginName, (parts: PluginParts) => AdmissionPlugin>>>;

type OwnPluginName = keyof typeof catalogue;

/** Reports whether this server has the plugin. */
export const isImplemented = (name: PluginName): name is OwnPluginName => Object.hasOwn(catalogue, name);

/** The plugins with these names, in the order of all names, without those that this server does not have. */
export const pluginsOf = (enabled: ReadonlySet<PluginName>, parts: PluginParts): readonly AdmissionPlugin[] =>
  pluginNames
    .filter((name) => enabled.has(name))
    .filter(isImplemented)
    .map((name) => catalogue[name](parts));
