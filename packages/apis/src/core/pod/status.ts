import { f, items, struct } from '@orch/schema';
import { derivePodIps } from '../shared/pod-spec/defaults.ts';
import { ResourceRequirements } from '../shared/resources.ts';

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
});

export const PodCondition = struct('core.v1.PodCondition', 'One aspect of the state of a pod.', {
  type: f.string(1, {
    doc: 'PodScheduled, Initialized, ContainersReady, Ready, or one of a readiness gate.',
    presence: 'always',
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
  ip: f.string(1, { doc: 'The address.' }),
});

export const PodStatus = struct(
  'core.v1.PodStatus',
  'Observed state of a pod.',
  {
    phase: f.string(1, { doc: 'Pending, Running, Succeeded, Failed or Unknown.' }),
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
    qosClass: f.string(9, { doc: 'Guaranteed, Burstable or BestEffort, from its requests and limits.' }),
    ephemeralContainerStatuses: f.list(13, ContainerStatus, {
      doc: 'State of the ephemeral containers.',
      since: '1.16',
    }),
    resize: f.string(14, {
      doc: 'State of a change of its resources: Proposed, InProgress, Deferred or Infeasible.',
      since: '1.33',
      gate: 'InPlacePodVerticalScaling',
    }),
  },
  { derive: derivePodIps },
);
