import { gatesAToL } from './gates-a-to-l.ts';
import { gatesMToZ } from './gates-m-to-z.ts';

/**
 * Feature gates of releases 1.15 to 1.37, under their canonical names. Each entry lists its stages with their releases:
 * `A` alpha, `B` beta, `G` generally available, `D` deprecated, `X` removed. Alpha and deprecated gates are disabled and
 * beta gates enabled by default; `-` or `+` behind the letter overrides it. Gates of something generally available cannot
 * be changed, others can; `~` marks one that can, and `=` one that cannot.
 */
export const gateHistory: Readonly<Record<string, string>> = { ...gatesAToL, ...gatesMToZ };

/** Gates that had another name before a release. */
export const formerNames: Readonly<
  Record<string, { readonly name: string; readonly before: string } | undefined>
> = {
  UserNamespacesSupport: { name: 'UserNamespacesStatelessPodsSupport', before: '1.28' },
};

/** Gates of fields, subresources or table columns of kinds. */
export const fieldGates: readonly string[] = [
  'AdmissionWebhookMatchConditions',
  'AnyVolumeDataSource',
  'AppArmorFields',
  'AtomicWriteVolumeUserFields',
  'AuthorizeWithSelectors',
  'CRDObservedGenerationTracking',
  'CSINodeExpandSecret',
  'CSIServiceAccountToken',
  'CSIServiceAccountTokenSecrets',
  'CSIStorageCapacity',
  'CSIVolumeFSGroupPolicy',
  'CSIVolumeHealth',
  'CSRDuration',
  'ClusterTrustBundleProjection',
  'CompositePodGroup',
  'ConfigurableFSGroupPolicy',
  'ContainerRestartRules',
  'ContainerStopSignals',
  'CoordinatedLeaderElection',
  'CronJobTimeZone',
  'DRAAdminAccess',
  'DRAConsumableCapacity',
  'DRAControlPlaneController',
  'DRADerivedAttributes',
  'DRADeviceBindingConditions',
  'DRADeviceCompatibilityGroups',
  'DRADeviceTaints',
  'DRAExtendedResource',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAOptionalNodeOperations',
  'DRAPartitionableDevices',
  'DRAPartitionableDevicesType',
  'DRAPrioritizedList',
  'DRAResourceClaimDeviceStatus',
  'DRAWorkloadResourceClaims',
  'DaemonSetUpdateSurge',
  'DeploymentReplicaSetTerminatingReplicas',
  'DynamicResourceAllocation',
  'EmptyDirVolumeMode',
  'EndpointSliceNodeName',
  'EndpointSliceTerminatingCondition',
  'EnvFiles',
  'EphemeralContainers',
  'EvenPodsSpread',
  'EvictionRequestAPI',
  'GRPCContainerProbe',
  'GRPCContainerProbeTLS',
  'GenericEphemeralVolume',
  'GenericWorkload',
  'H2CContainerProbe',
  'HPAConfigurableTolerance',
  'HPAContainerMetrics',
  'HostnameOverride',
  'IPv6DualStack',
  'IdentifyPodOS',
  'ImageVolume',
  'ImageVolumeWithDigest',
  'ImmutableEphemeralVolumes',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScaling',
  'InPlacePodVerticalScalingSchedulerPreemption',
  'IndexedJob',
  'IngressClassNamespacedParams',
  'JobBackoffLimitPerIndex',
  'JobManagedBy',
  'JobPodFailurePolicy',
  'JobPodReplacementPolicy',
  'JobReadyPods',
  'JobSuccessPolicy',
  'JobTrackingWithFinalizers',
  'LoadBalancerIPMode',
  'MatchLabelKeysInPodAffinity',
  'MatchLabelKeysInPodTopologySpread',
  'MaxUnavailableStatefulSet',
  'MinDomainsInPodTopologySpread',
  'MixedProtocolLBService',
  'MutableCSINodeAllocatableCount',
  'NetworkPolicyEndPort',
  'NetworkPolicyStatus',
  'NodeDeclaredFeatures',
  'NodeInclusionPolicyInPodTopologySpread',
  'NodeagentInUserNamespace',
  'NonPreemptingPriority',
  'PDBUnhealthyPodEvictionPolicy',
  'PersistentVolumeLastPhaseTransitionTime',
  'PodAffinityNamespaceSelector',
  'PodCertificateRequest',
  'PodGroupPreemptionPolicy',
  'PodHostIPs',
  'PodLevelResources',
  'PodLifecycleSleepAction',
  'PodObservedGenerationTracking',
  'PodOverhead',
  'PodSchedulingReadiness',
  'PreferSameTrafficDistribution',
  'ProbeTerminationGracePeriod',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'RecursiveReadOnlyMounts',
  'ResourceHealthStatus',
  'ResourceHealthStatusMessage',
  'SELinuxChangePolicy',
  'SELinuxMountReadWriteOncePod',
  'ServiceInternalTrafficPolicy',
  'ServiceLBNodePortControl',
  'ServiceLoadBalancerClass',
  'ServiceTopology',
  'ServiceTrafficDistribution',
  'SetHostnameAsFQDN',
  'SidecarContainers',
  'StartupProbe',
  'StatefulSetAutoDeletePVC',
  'StatefulSetMinReadySeconds',
  'StatefulSetStartOrdinal',
  'SupplementalGroupsPolicy',
  'SuspendJob',
  'TTLAfterFinished',
  'TopologyAwareHints',
  'TopologyAwareWorkloadScheduling',
  'UserNamespacesSupport',
  'VolumeAttributesClass',
  'VolumeBindMountOptions',
  'VolumeLimitScaling',
  'WindowsHostProcessContainers',
  'WorkloadAwarePreemption',
  'WorkloadWithJob',
];

/** Gates of rules alone: no field is behind them. */
export const ruleGates: readonly string[] = [
  'CrossNamespaceVolumeDataSource',
  'HPAScaleToZero',
  'RelaxedEnvironmentVariableValidation',
  'RetroactiveDefaultStorageClass',
];

/** Gates of the behaviour of the API server. */
export const behaviourGates: readonly string[] = [
  'APIListChunking',
  'APIPriorityAndFairness',
  'APIResponseCompression',
  'BoundServiceAccountTokenVolume',
  'CBORServingAndStorage',
  'OpenAPIEnums',
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

/** Gates of permissions in default roles alone. */
export const roleGates: readonly string[] = [
  'ClusterTrustBundle',
  'DRADeviceTaintRules',
  'DRAResourcePoolStatus',
  'StorageVersionAPI',
];

/** Gates that set other gates. */
export const collectiveGates: readonly string[] = ['AllAlpha', 'AllBeta'];

/** Gates that have an effect here; the others are accepted, and reported as without effect when they are set. */
export const effectiveGates: ReadonlySet<string> = new Set([
  ...fieldGates,
  ...ruleGates,
  ...roleGates,
  ...behaviourGates,
  ...controllerGates,
  ...collectiveGates,
]);
