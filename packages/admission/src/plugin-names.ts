import { atLeast, type Release } from '@orch/apis';

/** The releases in which a plugin is on by default, and those that have it. */
interface KnownPlugin {
  /** The first release in which the plugin is on by default; never when absent. */
  readonly defaultSince?: Release;
  /** The first release in which the plugin has no effect any more, because what it is about was removed. */
  readonly removedIn?: Release;
}

const always: KnownPlugin = { defaultSince: '1.15' };
const optional: KnownPlugin = {};
/** In releases before these plugins too: without them, permission for the path is permission for every signer. */
const certificates = always;
/** Policies have effect in every release in which their API is enabled. */
const policies = always;

/**
 * All plugins that flags and the admission configuration may name, in the order in which they are called (facts: server flags,
 * admission order; access-control document, 5.14). Also those of other releases, and those that this server does not have: the
 * flags of a cluster are kept when it is upgraded.
 */
const known = {
  AlwaysAdmit: optional,
  NamespaceAutoProvision: optional,
  NamespaceLifecycle: always,
  NamespaceExists: optional,
  SecurityContextDeny: optional,
  LimitPodHardAntiAffinityTopology: optional,
  PodPreset: { removedIn: '1.20' },
  LimitRanger: always,
  ServiceAccount: always,
  NodeRestriction: optional,
  TaintNodesByCondition: always,
  AlwaysPullImages: optional,
  ImagePolicyWebhook: optional,
  PodSecurity: { defaultSince: '1.22' },
  PodSecurityPolicy: { removedIn: '1.25' },
  PodNodeSelector: optional,
  Priority: always,
  DefaultTolerationSeconds: always,
  PodTolerationRestriction: optional,
  DenyEscalatingExec: optional,
  DenyExecOnPrivileged: optional,
  EventRateLimit: optional,
  ExtendedResourceToleration: optional,
  PersistentVolumeLabel: optional,
  DefaultStorageClass: always,
  StorageObjectInUseProtection: always,
  OwnerReferencesPermissionEnforcement: optional,
  PersistentVolumeClaimResize: always,
  RuntimeClass: { defaultSince: '1.16' },
  CertificateApproval: certificates,
  CertificateSigning: certificates,
  ClusterTrustBundleAttest: optional,
  CertificateSubjectRestriction: certificates,
  DefaultIngressClass: { defaultSince: '1.18' },
  PodTopologyLabels: optional,
  NodeDeclaredFeatureValidator: optional,
  DenyServiceExternalIPs: optional,
  MutatingAdmissionPolicy: policies,
  MutatingAdmissionWebhook: always,
  ValidatingAdmissionPolicy: policies,
  ValidatingAdmissionWebhook: always,
  ResourceQuota: always,
  AlwaysDeny: optional,
} as const satisfies Readonly<Record<string, KnownPlugin>>;

export type PluginName = keyof typeof known;

export const pluginNames = Object.keys(known) as readonly PluginName[];

/** The plugins that are on by default in a release. */
export const defaultPluginNames = (release: Release): readonly PluginName[] =>
  pluginNames.filter((name) => {
    const { defaultSince }: KnownPlugin = known[name];
    return defaultSince !== undefined && atLeast(release, defaultSince);
  });

/** The release that removed a plugin, when `release` does not have it any more. */
export function removalOf(name: PluginName, release: Release): Release | undefined {
  const { removedIn }: KnownPlugin = known[name];
  return removedIn !== undefined && atLeast(release, removedIn) ? removedIn : undefined;
}
