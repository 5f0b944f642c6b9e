import { atLeast, type Release } from '@orch/apis';

/** The releases in which a plugin exists and is enabled by default. */
interface KnownPlugin {
  /** The first release in which the plugin is enabled by default; never when absent. */
  readonly defaultSince?: Release;
  /** The first release in which the plugin no longer has any effect, because its subject was removed. */
  readonly removedIn?: Release;
}

const always: KnownPlugin = { defaultSince: '1.15' };
const optional: KnownPlugin = {};
/** Also in releases before these plugins: without them, permission for the path is permission for every signer. */
const certificates = always;
/** Policies have effect in every release in which their API is enabled. */
const policies = always;

/**
 * All plugins that flags and the admission configuration may name, in call order (facts: server flags, admission order;
 * access-control document, 5.14). They include those of other releases, and those that this server does not have: the
 * flags of a cluster remain when it is upgraded.
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
  PodGroupProtection: { defaultSince: '1.36' },
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

/** The plugins that are enabled by default in a release. */
export const defaultPluginNames = (release: Release): readonly PluginName[] =>
  pluginNames.filter((name) => {
    const { defaultSince }: KnownPlugin = known[name];
    return defaultSince !== undefined && atLeast(release, defaultSince);
  });

/** The release that removed a plugin, when `release` no longer has it. */
export function removalOf(name: PluginName, release: Release): Release | undefined {
  const { removedIn }: KnownPlugin = known[name];
  return removedIn !== undefined && atLeast(release, removedIn) ? removedIn : undefined;
}
