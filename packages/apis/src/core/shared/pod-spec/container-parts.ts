import { f, items, struct } from '@orch/schema';
import { checkRestartRule } from './validation/container.ts';

export const ContainerPort = struct('core.v1.ContainerPort', 'A port that a container listens on.', {
  name: f.string(1, { doc: 'Name that services can refer to.', format: 'portName' }),
  hostPort: f.int32(2, {
    doc: 'Port of the node that is forwarded to this port; rarely needed.',
    format: 'portNumber',
  }),
  containerPort: f.int32(3, {
    doc: 'Port number in the pod.',
    presence: 'always',
    required: true,
    format: 'portNumber',
  }),
  protocol: f.string(4, { doc: 'TCP, UDP or SCTP.', default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
  hostIP: f.string(5, { doc: 'Address of the node to bind to.' }),
});

export const VolumeMount = struct(
  'core.v1.VolumeMount',
  'Puts a volume into the file system of a container.',
  {
    name: f.string(1, { doc: 'Name of the volume.', presence: 'always', required: true }),
    readOnly: f.bool(2, { doc: 'Mounts without permission to write.' }),

    recursiveReadOnly: f.string(7, {
      doc: 'Whether mounts below it are read-only, too: Disabled, IfPossible or Enabled.',
      presence: 'pointer',
      enum: ['Disabled', 'Enabled', 'IfPossible'],
      openapiEnum: 'never',
      enumChecked: 'elsewhere',
      since: '1.31',
      gate: 'RecursiveReadOnlyMounts',
    }),
    mountPath: f.string(3, { doc: 'Where it appears in the container.', presence: 'always', required: true }),
    subPath: f.string(4, { doc: 'Part of the volume to mount.' }),
    mountPropagation: f.string(5, {
      doc: 'How later mounts are propagated: None, HostToContainer or Bidirectional.',
      presence: 'pointer',
      enum: ['Bidirectional', 'HostToContainer', 'None'],
      enumChecked: 'elsewhere',
      openapiEnum: { since: '1.27' },
    }),
    subPathExpr: f.string(6, { doc: 'As subPath, with `$(NAME)` for environment variables.' }),
    bindMountOptions: f.list(8, items.string, {
      doc: 'Options of the mount: nodev, noexec or nosuid.',
      listType: 'set',
      enum: ['nodev', 'noexec', 'nosuid'],
      openapiEnum: 'never',
      uniqueBy: '',
      since: 'never',
      gate: 'VolumeBindMountOptions',
    }),
  },
);

export const VolumeDevice = struct('core.v1.VolumeDevice', 'Gives a container a volume as a block device.', {
  name: f.string(1, {
    doc: 'Name of the volume, which must be that of a claim.',
    presence: 'always',
    required: true,
  }),
  devicePath: f.string(2, {
    doc: 'Path of the device in the container.',
    presence: 'always',
    required: true,
  }),
});

export const ContainerResizePolicy = struct(
  'core.v1.ContainerResizePolicy',
  'The action that a change of one resource of a container requires.',
  {
    resourceName: f.string(1, {
      doc: 'Name of the resource.',
      presence: 'always',
      enum: ['cpu', 'memory'],
      openapiEnum: 'never',
      enumChecked: 'elsewhere',
    }),
    restartPolicy: f.string(2, {
      doc: 'NotRequired, or RestartContainer.',
      presence: 'always',
      enum: ['NotRequired', 'RestartContainer'],
      openapiEnum: 'never',
      enumChecked: 'elsewhere',
    }),
  },
);

export const ContainerRestartRuleOnExitCodes = struct(
  'core.v1.ContainerRestartRuleOnExitCodes',
  'Exit codes for which a rule applies.',
  {
    operator: f.string(1, {
      doc: 'In or NotIn: whether the exit code is one of the values.',
      openapiRequired: true,
      enum: ['In', 'NotIn'],
      openapiEnum: 'never',
    }),
    values: f.list(2, items.int32, { doc: 'The exit codes.', listType: 'set', maxItems: 255 }),
  },
);

export const ContainerRestartRule = struct(
  'core.v1.ContainerRestartRule',
  'What happens when a container ends with certain exit codes.',
  {
    action: f.string(1, {
      doc: 'Restart, or RestartAllContainers.',
      openapiRequired: true,
      enum: ['Restart', 'RestartAllContainers'],
      openapiEnum: 'never',
    }),
    exitCodes: f.struct(2, ContainerRestartRuleOnExitCodes, {
      doc: 'Exit codes for which it applies.',
      presence: 'pointer',
    }),
  },
  { checks: [checkRestartRule] },
);
