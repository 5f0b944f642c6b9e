import { builtinTypes, type Release } from '@orch/apis';
import { type Field, resolveRef, type Schema, type SchemaRef, type StructSchema } from '@orch/schema';

/** A field behind a feature gate. */
export interface GatedField {
  readonly struct: StructSchema;
  readonly field: Field & { readonly gate: string };
  readonly title: string;
}

/** The releases in which fields behind a feature gate appeared, disabled or not (published definitions). */
const appeared: Readonly<Record<Release, string>> = {
  '1.15': 'preemptionPolicy procMount ttlSecondsAfterFinished',
  '1.16': 'ephemeralContainers overhead startupProbe topologySpreadConstraints',
  '1.17': 'topologyKeys',
  '1.18': 'fsGroupChangePolicy immutable',
  '1.19': 'ephemeral fsGroupPolicy setHostnameAsFQDN storageCapacity',
  '1.20':
    'allocateLoadBalancerNodePorts ServiceStatus.conditions containerResource ipFamilies ipFamilyPolicy nodeName ports requiresRepublish serving terminating tokenRequests',
  '1.21':
    'completedIndexes completionMode endPort hints internalTrafficPolicy loadBalancerClass maxSurge namespace namespaceSelector scope suspend terminationGracePeriodSeconds',
  '1.22': 'dataSourceRef expirationSeconds hostProcess minReadySeconds uncountedTerminatedPods',
  '1.23': 'allocatedResources grpc os persistentVolumeClaimRetentionPolicy ready resizeStatus',
  '1.24': 'NetworkPolicyStatus.conditions maxUnavailable minDomains timeZone',
  '1.25':
    'hostUsers matchLabelKeys nodeAffinityPolicy nodeExpandSecretRef nodeTaintsPolicy podFailurePolicy seLinuxMount',
  '1.26': 'claims ordinals resourceClaims schedulingGates unhealthyPodEvictionPolicy',
  '1.27': 'ContainerStatus.allocatedResources ContainerStatus.resources matchConditions resizePolicy resize',
  '1.28':
    'allocatedResourceStatuses backoffLimitPerIndex failedIndexes hostIPs JobStatus.terminating lastPhaseTransitionTime maxFailedIndexes podReplacementPolicy resourceClaimStatuses restartPolicy',
  '1.29':
    'clusterTrustBundle currentVolumeAttributesClassName ipMode mismatchLabelKeys modifyVolumeStatus PodAffinityTerm.matchLabelKeys sleep volumeAttributesClassName',
  '1.30':
    'appArmorProfile managedBy recursiveReadOnly recursiveReadOnlyMounts runtimeHandlers successPolicy trafficDistribution volumeMounts',
  '1.31':
    'allocatedResourcesStatus controller deallocationRequested suitableNodes features fieldSelector labelSelector preferredHolder strategy supplementalGroupsPolicy user userNamespaces VolumeSource.image',
  '1.32': 'adminAccess PodSpec.resources ResourceClaimStatus.devices seLinuxChangePolicy',
  '1.33':
    'allNodes BasicDevice.nodeName consumesCounters Device.nodeName errorCode firstAvailable forNodes nodeAllocatableUpdatePeriodSeconds nodeSelector observedGeneration perDeviceNodeSelection sharedCounters stopSignal taints terminatingReplicas tolerance tolerations',
  '1.34':
    'allocationTimestamp allowMultipleAllocations bindingConditions bindingFailureConditions bindsToNode capacity consumedCapacity distinctAttribute extendedResourceClaimStatus extendedResourceName fileKeyRef hostnameOverride podCertificate requestPolicy restartPolicyRules shareID',
  '1.35':
    'CustomResourceDefinitionCondition.observedGeneration CustomResourceDefinitionStatus.observedGeneration declaredFeatures PodStatus.allocatedResources PodStatus.resources serviceAccountTokenInSecrets workloadRef',
  '1.36':
    'bools ints message nodeAllocatableResourceClaimStatuses nodeAllocatableResourceMappings PodGroupSpec.disruptionMode PodGroupSpec.priority PodGroupSpec.priorityClassName PodGroupSpec.resourceClaims PodGroupStatus.resourceClaimStatuses PodGroupTemplate.disruptionMode PodGroupTemplate.priority PodGroupTemplate.priorityClassName PodGroupTemplate.resourceClaims preventPodSchedulingIfMissing schedulingConstraints schedulingGroup strings versions VolumeStatus.image',
  '1.37':
    'bindMountOptions compatibilityGroups compositePodGroupTemplates CompositePodGroupSpec.preemptionPolicy CompositePodGroupTemplate.preemptionPolicy defaultPartitionTypeAttribute defaultUser derivedAttributes ClusterTrustBundleProjection.user DownwardAPIVolumeFile.user EmptyDirVolumeSource.mode evictionResponders GRPCAction.mode healthStatus HTTPGetAction.protocol KeyToPath.user nodeAllocatableResources parentCompositePodGroupName partitionTypeAttribute PodCertificateProjection.user podPreemptionPolicy PodGroupSpec.preemptionPolicy PodGroupTemplate.preemptionPolicy runningInUserNamespace skipNodeOperations ServiceAccountTokenProjection.user storageHealth volumeHealth JobSpec.scheduling',
};

const releaseOf = new Map(
  Object.entries(appeared).flatMap(([release, fields]) => fields.split(' ').map((field) => [field, release])),
);

/** The first release that has a field; undefined for a field that the table does not have. */
export const firstReleaseOf = ({ struct, field }: GatedField): Release | undefined =>
  releaseOf.get(`${struct.name.split('.').at(-1)}.${field.name}`) ?? releaseOf.get(field.name);

/** The fields of all built-in kinds that are behind a feature gate. */
export function gatedFields(): readonly GatedField[] {
  const found: GatedField[] = [];
  const seen = new Set<Schema>();
  const visit = (ref: SchemaRef | undefined): void => {
    if (ref === undefined) return;
    const schema = resolveRef(ref);
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.kind === 'struct')
      for (const field of schema.fields) {
        const { name, gate } = field;
        if (gate !== undefined)
          found.push({ struct: schema, field: { ...field, gate }, title: `${schema.name}.${name}` });
        visit(field.schema);
      }
    else if (schema.kind === 'list') visit(schema.items);
    else if (schema.kind === 'map') visit(schema.values);
    else if (schema.kind === 'union')
      for (const variant of [schema.object, schema.list]) visit(variant?.schema);
  };
  for (const { versions } of builtinTypes) for (const { schema } of versions) visit(schema);
  return found;
}

/** A value that is written, of the type of a field. */
export function sampleOf(ref: SchemaRef): unknown {
  const schema = resolveRef(ref);
  switch (schema.kind) {
    case 'list':
      return [sampleOf(schema.items)];
    case 'map':
      return { key: schema.values === undefined ? 'value' : sampleOf(schema.values) };
    case 'struct':
      return {};
    case 'union':
      return 'value';
    case 'scalar':
      return scalars[schema.type] ?? 'value';
  }
}

const scalars: Readonly<Record<string, unknown>> = {
  bool: true,
  int32: 7,
  int64: 7,
  quantity: '1',
  time: '2026-01-02T03:04:05Z',
};
