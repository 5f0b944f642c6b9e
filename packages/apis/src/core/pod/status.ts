import { f, items, struct } from '@orch/schema';
import { derivePodIps } from '../shared/pod-spec/defaults.ts';
import { stopSignals } from '../shared/pod-spec/stop-signals.ts';
import { ResourceRequirements } from '../shared/resources.ts';
import { PodVolumeHealth } from '../shared/volume/health.ts';

export const ContainerStateWaiting = struct(
  'core.v1.ContainerStateWaiting',
  'The container does not run yet.',
  {
    reason: f.string(1, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(2, { doc: 'Human-readable details.' }),
  },
);

export const ContainerStateRunning = struct('core.v1.ContainerStateRunning', 'The container runs.', {
  startedAt: f.time(1, { doc: 'When it started.', presence: 'always' }),
});

export const ContainerStateTerminated = struct(
  'core.v1.ContainerStateTerminated',
  'The container has ended.',
  {
    exitCode: f.int32(1, { doc: 'Its exit status.', presence: 'always' }),
    signal: f.int32(2, { doc: 'Signal that ended it.' }),
    reason: f.string(3, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(4, { doc: 'Human-readable details.' }),
    startedAt: f.time(5, { doc: 'When it had started.', presence: 'always' }),
    finishedAt: f.time(6, { doc: 'When it ended.', presence: 'always' }),
    containerID: f.string(7, { doc: 'Its identity.' }),
  },
);

export const ContainerState = struct(
  'core.v1.ContainerState',
  'State of a container; one field is set, waiting when none is.',
  {
    waiting: f.struct(1, ContainerStateWaiting, { doc: 'It does not run yet.', presence: 'pointer' }),
    running: f.struct(2, ContainerStateRunning, { doc: 'It runs.', presence: 'pointer' }),
    terminated: f.struct(3, ContainerStateTerminated, { doc: 'It has ended.', presence: 'pointer' }),
  },
);

export const ImageVolumeStatus = struct('core.v1.ImageVolumeStatus', 'State of a mounted image.', {
  imageRef: f.string(1, { doc: 'Identity of the image.', openapiRequired: true }),
});

export const VolumeStatus = struct('core.v1.VolumeStatus', 'State of a mounted volume.', {
  image: f.struct(1, ImageVolumeStatus, {
    doc: 'State of an image.',
    presence: 'pointer',
    since: 'never',
    gate: 'ImageVolumeWithDigest',
  }),
});

export const VolumeMountStatus = struct('core.v1.VolumeMountStatus', 'State of one mount of a container.', {
  name: f.string(1, { doc: 'Name of the volume.', presence: 'always' }),
  mountPath: f.string(2, { doc: 'Where it appears in the container.', presence: 'always' }),
  readOnly: f.bool(3, { doc: 'It is mounted without permission to write.' }),
  recursiveReadOnly: f.string(4, {
    doc: 'Whether mounts below it are read-only, too: Disabled or Enabled.',
    presence: 'pointer',
    since: '1.31',
    gate: 'RecursiveReadOnlyMounts',
  }),
  volumeStatus: f.struct(5, VolumeStatus, {
    doc: 'State of the volume.',
    presence: 'pointer',
    since: '1.36',
  }),
});

const MAX_ID = 2_147_483_647;

export const LinuxContainerUser = struct('core.v1.LinuxContainerUser', 'User of a process of Linux.', {
  uid: f.int64(1, { doc: 'User ID.', presence: 'always' }),
  gid: f.int64(2, { doc: 'Group ID.', presence: 'always', min: 0, max: MAX_ID }),
  supplementalGroups: f.list(3, items.int64, {
    doc: 'IDs of further groups.',
    listType: 'atomic',
    min: 0,
    max: MAX_ID,
  }),
});

export const ContainerUser = struct('core.v1.ContainerUser', 'User of the first process of a container.', {
  linux: f.struct(1, LinuxContainerUser, { doc: 'User of a container of Linux.', presence: 'pointer' }),
});

export const ResourceHealth = struct('core.v1.ResourceHealth', 'Health of one device.', {
  resourceID: f.string(1, { doc: 'Identity of the device.', presence: 'always' }),
  health: f.string(2, { doc: 'Healthy, Unhealthy or Unknown.' }),
  message: f.string(6, {
    doc: 'Human-readable details.',
    presence: 'pointer',
    since: '1.36',
    gate: 'ResourceHealthStatusMessage',
  }),
});

export const ResourceStatus = struct('core.v1.ResourceStatus', 'Health of the devices of one resource.', {
  name: f.string(1, { doc: 'Name of the resource.', presence: 'always', required: true }),
  resources: f.list(2, ResourceHealth, {
    doc: 'Health of its devices.',
    listType: 'map',
    mapKeys: ['resourceID'],
  }),
});

export const ContainerStatus = struct('core.v1.ContainerStatus', 'Observed state of one container.', {
  name: f.string(1, { doc: 'Name within the pod.', presence: 'always' }),
  state: f.struct(2, ContainerState, { doc: 'Current state.', presence: 'always' }),
  lastState: f.struct(3, ContainerState, { doc: 'Final state of the previous run.', presence: 'always' }),
  ready: f.bool(4, { doc: 'Whether its readiness probe succeeds.', presence: 'always' }),
  restartCount: f.int32(5, { doc: 'How often it was restarted.', presence: 'always' }),
  image: f.string(6, { doc: 'Image it runs.', presence: 'always' }),
  imageID: f.string(7, { doc: 'Identity of that image.', presence: 'always' }),
  containerID: f.string(8, { doc: 'Its identity.' }),
  started: f.bool(9, { doc: 'Whether its startup probe has succeeded.', presence: 'pointer', since: '1.16' }),
  allocatedResources: f.map(10, items.quantity, {
    doc: 'Resources that the node has allocated for it.',
    since: '1.33',
    gate: 'InPlacePodVerticalScaling',
  }),
  resources: f.struct(11, ResourceRequirements, {
    doc: 'Requests and limits in effect.',
    presence: 'pointer',
    since: '1.33',
    gate: 'InPlacePodVerticalScaling',
  }),

  volumeMounts: f.list(12, VolumeMountStatus, {
    doc: 'State of its mounts.',
    listType: 'map',
    mapKeys: ['mountPath'],
    patchStrategy: 'merge',
    patchMergeKey: 'mountPath',
    since: '1.31',
    gate: 'RecursiveReadOnlyMounts',
  }),
  user: f.struct(13, ContainerUser, {
    doc: 'User of its first process.',
    presence: 'pointer',
    since: '1.33',
    gate: 'SupplementalGroupsPolicy',
  }),
  allocatedResourcesStatus: f.list(14, ResourceStatus, {
    doc: 'Health of its resources.',
    listType: 'map',
    mapKeys: ['name'],
    patchStrategy: 'merge',
    patchMergeKey: 'name',
    since: '1.36',
    gate: 'ResourceHealthStatus',
  }),
  stopSignal: f.string(15, {
    doc: 'Signal that ends it.',
    presence: 'pointer',
    since: 'never',
    gate: 'ContainerStopSignals',
    openapiEnum: { values: stopSignals },
  }),
});

export const PodCondition = struct('core.v1.PodCondition', 'One aspect of the state of a pod.', {
  type: f.string(1, {
    doc: 'PodScheduled, Initialized, ContainersReady, Ready, or one of a readiness gate.',
    presence: 'always',
  }),

  observedGeneration: f.int64(7, {
    doc: 'Generation of the pod that the condition describes.',
    min: 0,
    since: '1.34',
    gate: 'PodObservedGenerationTracking',
  }),
  status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
  lastProbeTime: f.time(3, { doc: 'When the condition was last checked.', presence: 'always' }),
  lastTransitionTime: f.time(4, {
    doc: 'When the status last changed from one value to another.',
    presence: 'always',
  }),
  reason: f.string(5, { doc: 'Machine-readable reason, in CamelCase.' }),
  message: f.string(6, { doc: 'Human-readable details.' }),
});

export const PodIP = struct('core.v1.PodIP', 'One address of a pod.', {
  ip: f.string(1, { doc: 'The address.', openapiRequired: { since: '1.30', is: true } }),
});

export const HostIP = struct('core.v1.HostIP', 'One address of a node.', {
  ip: f.string(1, { doc: 'The address.', openapiRequired: { since: '1.30', is: true } }),
});

export const PodResourceClaimStatus = struct(
  'core.v1.PodResourceClaimStatus',
  'The claim that was created for an entry of resourceClaims.',
  {
    name: f.string(1, { doc: 'Name of the entry.', presence: 'always' }),
    resourceClaimName: f.string(2, {
      doc: 'Name of the claim; absent when none is needed.',
      presence: 'pointer',
      format: 'dns1123subdomain',
    }),
  },
);

export const ContainerExtendedResourceRequest = struct(
  'core.v1.ContainerExtendedResourceRequest',
  'The request of a claim that provides an extended resource of a container.',
  {
    containerName: f.string(1, { doc: 'Name of the container.', presence: 'always' }),
    resourceName: f.string(2, { doc: 'Name of the extended resource.', presence: 'always' }),
    requestName: f.string(3, { doc: 'Name of the request of the claim.', presence: 'always' }),
  },
);

export const PodExtendedResourceClaimStatus = struct(
  'core.v1.PodExtendedResourceClaimStatus',
  'The claim that provides extended resources of the pod.',
  {
    requestMappings: f.list(1, ContainerExtendedResourceRequest, {
      doc: 'Requests by container and resource.',
      presence: 'always',
      listType: 'atomic',
    }),
    resourceClaimName: f.string(2, { doc: 'Name of the claim.', presence: 'always' }),
  },
);

const resourceName = f.string(1, { doc: 'Name of the resource.', presence: 'always' });
const byName = {
  listType: 'map',
  mapKeys: ['name'],
  patchStrategy: 'merge',
  patchMergeKey: 'name',
} as const;

const NodeAllocatableMappedResources = struct(
  'core.v1.NodeAllocatableMappedResources',
  'An amount of a resource that all containers with a claim share.',
  {
    name: resourceName,
    quantity: f.quantity(2, {
      doc: 'The amount.',
      presence: 'always',
      nullable: true,
      openapiRequired: true,
    }),
  },
);

const NodeAllocatableOverheadResources = struct(
  'core.v1.NodeAllocatableOverheadResources',
  'Amounts of a resource for a pod and for each of its containers with a claim.',
  {
    name: resourceName,
    perPod: f.quantity(2, { doc: 'Amount for the pod.', presence: 'pointer' }),
    perContainer: f.quantity(3, { doc: 'Amount for each container.', presence: 'pointer' }),
  },
);

export const NodeAllocatableResourceClaimStatus = struct(
  'core.v1.NodeAllocatableResourceClaimStatus',
  'Allocatable resources of the node that a claim uses.',
  {
    resourceClaimName: f.string(1, { doc: 'Name of the claim.', presence: 'always' }),
    containers: f.list(2, items.string, { doc: 'Containers that use the claim.', listType: 'set' }),
    resources: f.map(3, items.quantity, { doc: 'Amounts by resource.', presence: 'always', until: '1.37' }),
    mapping: f.list(4, NodeAllocatableMappedResources, {
      doc: 'Amounts that the devices stand for.',
      since: '1.37',
      ...byName,
    }),
    overhead: f.list(5, NodeAllocatableOverheadResources, {
      doc: 'Amounts that the use of the devices takes besides.',
      since: '1.37',
      ...byName,
    }),
  },
);

export const PodStatus = struct(
  'core.v1.PodStatus',
  'Observed state of a pod.',
  {
    observedGeneration: f.int64(17, {
      doc: 'Generation of the pod that the status describes.',
      min: 0,
      since: '1.34',
      gate: 'PodObservedGenerationTracking',
    }),
    phase: f.string(1, {
      doc: 'Pending, Running, Succeeded, Failed or Unknown.',
      openapiEnum: { values: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'] },
    }),
    conditions: f.list(2, PodCondition, {
      doc: 'Observations about the object, one entry per type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
    message: f.string(3, { doc: 'Human-readable details.' }),
    reason: f.string(4, { doc: 'Why it is in this state, such as Evicted.' }),
    nominatedNodeName: f.string(11, {
      doc: 'Node on which other pods are removed to make room for this one.',
      format: 'dns1123subdomain',
    }),
    hostIP: f.string(5, { doc: 'Address of its node.' }),

    hostIPs: f.list(16, HostIP, {
      doc: 'Addresses of its node, the first of which is hostIP.',
      listType: 'atomic',
      patchStrategy: 'merge',
      patchMergeKey: 'ip',
      since: '1.29',
      gate: 'PodHostIPs',
    }),
    podIP: f.string(6, { doc: 'Its address.' }),
    podIPs: f.list(12, PodIP, {
      doc: 'Its addresses, at most one per family; the first is podIP.',
      patchStrategy: 'merge',
      patchMergeKey: 'ip',
      since: '1.16',
    }),
    startTime: f.time(7, { doc: 'When its node accepted it.', presence: 'pointer' }),
    initContainerStatuses: f.list(10, ContainerStatus, { doc: 'State of the init containers.' }),
    containerStatuses: f.list(8, ContainerStatus, { doc: 'State of the containers.' }),
    qosClass: f.string(9, {
      doc: 'Guaranteed, Burstable or BestEffort, from its requests and limits.',
      openapiEnum: { values: ['BestEffort', 'Burstable', 'Guaranteed'] },
    }),
    ephemeralContainerStatuses: f.list(13, ContainerStatus, {
      doc: 'State of the ephemeral containers.',
      since: '1.16',
    }),
    resize: f.string(14, {
      doc: 'State of a change of its resources: Proposed, InProgress, Deferred or Infeasible.',
      since: '1.33',
      gate: 'InPlacePodVerticalScaling',
    }),

    resourceClaimStatuses: f.list(15, PodResourceClaimStatus, {
      doc: 'Claims that were created from templates.',
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: 'merge,retainKeys',
      patchMergeKey: 'name',
      since: '1.34',
      gate: 'DynamicResourceAllocation',
      gatedSince: '1.28',
    }),
    extendedResourceClaimStatus: f.struct(18, PodExtendedResourceClaimStatus, {
      doc: 'Claim for extended resources that device drivers provide.',
      presence: 'pointer',
      since: '1.36',
      gate: 'DRAExtendedResource',
    }),
    allocatedResources: f.map(19, items.quantity, {
      doc: 'Resources that the node has allocated for all containers together.',
      since: '1.36',
      gate: 'InPlacePodLevelResourcesVerticalScaling',
    }),
    resources: f.struct(20, ResourceRequirements, {
      doc: 'Requests and limits in effect of all containers together.',
      presence: 'pointer',
      since: '1.36',
      gate: 'InPlacePodLevelResourcesVerticalScaling',
    }),
    nodeAllocatableResourceClaimStatuses: f.list(21, NodeAllocatableResourceClaimStatus, {
      doc: 'Allocatable resources of the node that claims use.',
      listType: 'map',
      mapKeys: ['resourceClaimName'],
      patchStrategy: 'merge',
      patchMergeKey: 'resourceClaimName',
      since: 'never',
      gate: 'DRANodeAllocatableResources',
    }),
    volumeHealth: f.list(22, PodVolumeHealth, {
      doc: 'Health of the volumes, as their drivers report it.',
      listType: 'map',
      mapKeys: ['name'],
      uniqueBy: 'name',
      since: 'never',
      gate: 'CSIVolumeHealth',
      gatedSince: '1.37',
    }),
  },
  { derive: derivePodIps },
);
