import { f, items, struct } from '@orch/schema';
import { NodeConfigSource } from './config.ts';
import { allocatableFromCapacity } from './defaults.ts';

export const NodeCondition = struct('core.v1.NodeCondition', 'One aspect of the state of a node.', {
  type: f.string(1, {
    doc: 'Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable.',
    presence: 'always',
  }),
  status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
  lastHeartbeatTime: f.time(3, { doc: 'When the condition was last reported.', presence: 'always' }),
  lastTransitionTime: f.time(4, {
    doc: 'When the status last changed from one value to another.',
    presence: 'always',
  }),
  reason: f.string(5, { doc: 'Machine-readable reason, in CamelCase.' }),
  message: f.string(6, { doc: 'Human-readable details.' }),
});

export const NodeAddress = struct('core.v1.NodeAddress', 'One address of a node.', {
  type: f.string(1, {
    doc: 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.',
    presence: 'always',
  }),
  address: f.string(2, { doc: 'The address.', presence: 'always' }),
});

export const DaemonEndpoint = struct('core.v1.DaemonEndpoint', 'Endpoint of a daemon.', {
  Port: f.int32(1, { doc: 'Port number.', presence: 'always' }),
});

export const NodeDaemonEndpoints = struct(
  'core.v1.NodeDaemonEndpoints',
  'Endpoints of the daemons of a node.',
  {
    nodeagentEndpoint: f.struct(1, DaemonEndpoint, {
      doc: 'Endpoint of the node agent.',
      presence: 'always',
    }),
  },
);

export const NodeSwapStatus = struct('core.v1.NodeSwapStatus', 'Swap memory of a node.', {
  capacity: f.int64(1, { doc: 'Size in bytes.', presence: 'pointer' }),
});

export const NodeSystemInfo = struct('core.v1.NodeSystemInfo', 'System information of a node.', {
  machineID: f.string(1, { doc: 'Identity of the installed system.', presence: 'always' }),
  systemUUID: f.string(2, { doc: 'Identity of the machine.', presence: 'always' }),
  bootID: f.string(3, { doc: 'Identity of the present boot.', presence: 'always' }),
  kernelVersion: f.string(4, { doc: 'Version of the kernel.', presence: 'always' }),
  osImage: f.string(5, { doc: 'Name of the operating system.', presence: 'always' }),
  containerRuntimeVersion: f.string(6, {
    doc: 'Name and version of the container runtime.',
    presence: 'always',
  }),
  nodeagentVersion: f.string(7, { doc: 'Version of the node agent.', presence: 'always' }),
  orchProxyVersion: f.string(8, { doc: 'Version of the network proxy.', presence: 'always' }),
  operatingSystem: f.string(9, { doc: 'Operating system, such as linux.', presence: 'always' }),
  architecture: f.string(10, { doc: 'Processor architecture, such as amd64.', presence: 'always' }),

  swap: f.struct(11, NodeSwapStatus, { doc: 'Swap memory of the node.', presence: 'pointer', since: '1.33' }),
  runningInUserNamespace: f.bool(12, {
    doc: 'Whether the node agent runs in a user namespace.',
    presence: 'pointer',
    since: '1.37',
    gate: 'NodeagentInUserNamespace',
    gatedSince: '1.37',
  }),
});

export const ContainerImage = struct('core.v1.ContainerImage', 'A container image that is on a node.', {
  names: f.list(1, items.string, { doc: 'Names of the image.', presence: 'always', openapiRequired: false }),
  sizeBytes: f.int64(2, { doc: 'Size in bytes.' }),
});

export const AttachedVolume = struct('core.v1.AttachedVolume', 'A volume that is attached to a node.', {
  name: f.string(1, { doc: 'Name of the volume.', presence: 'always' }),
  devicePath: f.string(2, { doc: 'Path of the device.', presence: 'always' }),
});

export const NodeConfigStatus = struct(
  'core.v1.NodeConfigStatus',
  'The configuration that a node agent uses.',
  {
    assigned: f.struct(1, NodeConfigSource, {
      doc: 'Configuration that is assigned to the node agent.',
      presence: 'pointer',
    }),
    active: f.struct(2, NodeConfigSource, { doc: 'Configuration in use.', presence: 'pointer' }),
    lastKnownGood: f.struct(3, NodeConfigSource, {
      doc: 'Configuration that is used when the assigned one fails.',
      presence: 'pointer',
    }),
    error: f.string(4, { doc: 'Why the assigned one could not be used.' }),
  },
);

export const NodeRuntimeHandlerFeatures = struct(
  'core.v1.NodeRuntimeHandlerFeatures',
  'Features of a runtime handler.',
  {
    recursiveReadOnlyMounts: f.bool(1, {
      doc: 'Mounts can be read-only with all mounts below.',
      presence: 'pointer',
      since: '1.31',
      gate: 'RecursiveReadOnlyMounts',
    }),
    userNamespaces: f.bool(2, {
      doc: 'Pods can have user namespaces.',
      presence: 'pointer',
      since: '1.33',
      gate: 'UserNamespacesSupport',
      gatedSince: '1.31',
    }),
  },
);

export const NodeRuntimeHandler = struct('core.v1.NodeRuntimeHandler', 'A runtime handler of a node.', {
  name: f.string(1, {
    doc: 'Name of the handler; empty for the default one.',
    presence: 'always',
    openapiRequired: false,
  }),
  features: f.struct(2, NodeRuntimeHandlerFeatures, { doc: 'Features of the handler.', presence: 'pointer' }),
});

export const NodeFeatures = struct('core.v1.NodeFeatures', 'Features of the runtime of a node.', {
  supplementalGroupsPolicy: f.bool(1, {
    doc: 'Supports supplementalGroupsPolicy of pods.',
    presence: 'pointer',
  }),
});

export const NodeStatus = struct('core.v1.NodeStatus', 'Observed state of a node.', {
  capacity: f.map(1, items.quantity, { doc: 'Total resources of the machine.' }),
  allocatable: f.map(2, items.quantity, {
    doc: 'Resources that are available to pods; same as capacity when not reported.',
    default: allocatableFromCapacity,
  }),
  phase: f.string(3, {
    doc: 'No longer set.',
    openapiEnum: { values: ['Pending', 'Running', 'Terminated'] },
  }),
  conditions: f.list(4, NodeCondition, {
    doc: 'Observations about the object, one entry per type.',
    patchStrategy: 'merge',
    patchMergeKey: 'type',
  }),
  addresses: f.list(5, NodeAddress, {
    doc: 'Addresses at which the node can be reached.',
    patchStrategy: 'merge',
    patchMergeKey: 'type',
  }),
  daemonEndpoints: f.struct(6, NodeDaemonEndpoints, {
    doc: 'Endpoints of the daemons of the node.',
    presence: 'always',
  }),
  nodeInfo: f.struct(7, NodeSystemInfo, { doc: 'Versions and identities.', presence: 'always' }),
  images: f.list(8, ContainerImage, { doc: 'Container images on the node.' }),
  volumesInUse: f.list(9, items.string, { doc: 'Attachable volumes that are mounted.' }),
  volumesAttached: f.list(10, AttachedVolume, { doc: 'Volumes that are attached.' }),
  config: f.struct(11, NodeConfigStatus, {
    doc: "State of the agent's dynamic configuration.",
    presence: 'pointer',
  }),

  runtimeHandlers: f.list(12, NodeRuntimeHandler, {
    doc: 'Runtime handlers of the node.',
    listType: 'atomic',
    since: '1.31',
    gate: 'RecursiveReadOnlyMounts',
  }),
  features: f.struct(13, NodeFeatures, {
    doc: 'Features of the container runtime.',
    presence: 'pointer',
    since: '1.33',
    gate: 'SupplementalGroupsPolicy',
  }),
  declaredFeatures: f.list(14, items.string, {
    doc: 'Features that the node declares.',
    listType: 'atomic',
    since: '1.36',
    gate: 'NodeDeclaredFeatures',
  }),
});
