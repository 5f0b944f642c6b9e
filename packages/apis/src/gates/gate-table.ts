import { gatesAToL } from './gates-a-to-l.ts';
import { gatesMToZ } from './gates-m-to-z.ts';

/**
 * Feature gates of releases 1.15 to 1.36, under their canonical names. Each entry lists its stages with their releases:
 * `A` alpha, `B` beta, `G` generally available, `D` deprecated, `X` removed. Alpha and deprecated gates are disabled and
 * beta gates enabled by default; `-` or `+` behind the letter overrides it. Gates of something generally available cannot
 * be changed, others can; `~` marks one that can, and `=` one that cannot.
 */
export const gateHistory: Readonly<Record<string, string>> = { ...gatesAToL, ...gatesMToZ };

/** Gates of fields, subresources or table columns of kinds. */
export const fieldGates: readonly string[] = [
  'AdmissionWebhookMatchConditions',
  'AnyVolumeDataSource',
  'CSINodeExpandSecret',
  'CSIServiceAccountToken',
  'CSIStorageCapacity',
  'CSIVolumeFSGroupPolicy',
  'CSRDuration',
  'ConfigurableFSGroupPolicy',
  'CronJobTimeZone',
  'DaemonSetUpdateSurge',
  'DynamicResourceAllocation',
  'EndpointSliceNodeName',
  'EndpointSliceTerminatingCondition',
  'EphemeralContainers',
  'EvenPodsSpread',
  'GRPCContainerProbe',
  'GenericEphemeralVolume',
  'HPAContainerMetrics',
  'IPv6DualStack',
  'IdentifyPodOS',
  'ImmutableEphemeralVolumes',
  'InPlacePodVerticalScaling',
  'IndexedJob',
  'IngressClassNamespacedParams',
  'JobPodFailurePolicy',
  'JobReadyPods',
  'JobTrackingWithFinalizers',
  'MatchLabelKeysInPodTopologySpread',
  'MaxUnavailableStatefulSet',
  'MinDomainsInPodTopologySpread',
  'MixedProtocolLBService',
  'NetworkPolicyEndPort',
  'NetworkPolicyStatus',
  'NodeInclusionPolicyInPodTopologySpread',
  'NonPreemptingPriority',
  'PDBUnhealthyPodEvictionPolicy',
  'PodAffinityNamespaceSelector',
  'PodOverhead',
  'PodSchedulingReadiness',
  'ProbeTerminationGracePeriod',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'SELinuxMountReadWriteOncePod',
  'ServiceInternalTrafficPolicy',
  'ServiceLBNodePortControl',
  'ServiceLoadBalancerClass',
  'ServiceTopology',
  'SetHostnameAsFQDN',
  'StartupProbe',
  'StatefulSetAutoDeletePVC',
  'StatefulSetMinReadySeconds',
  'StatefulSetStartOrdinal',
  'SuspendJob',
  'TTLAfterFinished',
  'TopologyAwareHints',
  'UserNamespacesStatelessPodsSupport',
  'WindowsHostProcessContainers',
];

/** Gates of the behaviour of the API server. */
export const behaviourGates: readonly string[] = [
  'APIListChunking',
  'APIPriorityAndFairness',
  'APIResponseCompression',
  'BoundServiceAccountTokenVolume',
  'PodSecurity',
  'RemainingItemCount',
  'ServerSideFieldValidation',
  'ServiceAccountIssuerDiscovery',
];

/** Gates of the behaviour of controllers. */
export const controllerGates: readonly string[] = [
  'LegacyServiceAccountTokenNoAutoGeneration',
  'NodeOutOfServiceVolumeDetach',
  'TTLAfterFinished',
];

/** Gates that set other gates. */
export const collectiveGates: readonly string[] = ['AllAlpha', 'AllBeta'];

/** Gates that have an effect here; the others are accepted, and reported as without effect when they are set. */
export const effectiveGates: ReadonlySet<string> = new Set([
  ...fieldGates,
  ...behaviourGates,
  ...controllerGates,
  ...collectiveGates,
]);
