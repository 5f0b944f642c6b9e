import { f, items, struct } from '@orch/schema';
import { ResourceRequirements } from '../resources.ts';
import { defaultPullPolicy } from './defaults.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { Lifecycle, Probe } from './probe.ts';
import { SecurityContext } from './security.ts';
import { checkContainer } from './validation/container.ts';

export const ContainerPort = struct('core.v1.ContainerPort', 'A port that a container listens on.', {
  name: f.string(1, { doc: 'Name that services can refer to.', format: 'portName' }),
  hostPort: f.int32(2, { doc: 'Port of the node that leads here; rarely needed.', format: 'portNumber' }),
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
    mountPath: f.string(3, { doc: 'Where it appears in the container.', presence: 'always', required: true }),
    subPath: f.string(4, { doc: 'Part of the volume to mount.' }),
    mountPropagation: f.string(5, {
      doc: 'Whether later mounts reach the other side: None, HostToContainer or Bidirectional.',
      presence: 'pointer',
      enum: ['Bidirectional', 'HostToContainer', 'None'],
    }),
    subPathExpr: f.string(6, { doc: 'As subPath, with `$(NAME)` for environment variables.' }),
  },
);

export const VolumeDevice = struct('core.v1.VolumeDevice', 'Gives a container a volume as a block device.', {
  name: f.string(1, { doc: 'Name of the volume, made from a claim.', presence: 'always', required: true }),
  devicePath: f.string(2, {
    doc: 'Path of the device in the container.',
    presence: 'always',
    required: true,
  }),
});

export const Container = struct(
  'core.v1.Container',
  'A program to run in a pod, with its image, environment and resources.',
  {
    name: f.string(1, {
      doc: 'Name within the pod.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
    image: f.string(2, { doc: 'Image to run.', required: true }),
    command: f.list(3, items.string, {
      doc: "What to run instead of the image's entry point; no shell is involved.",
    }),
    args: f.list(4, items.string, { doc: 'Arguments, instead of those of the image.' }),
    workingDir: f.string(5, { doc: 'Directory to start in; that of the image when empty.' }),
    ports: f.list(6, ContainerPort, {
      doc: 'Ports it listens on, for information.',
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
      uniqueBy: 'name',
    }),
    envFrom: f.list(19, EnvFromSource, { doc: 'Objects whose keys become environment variables.' }),
    env: f.list(7, EnvVar, { doc: 'Environment variables.', patchStrategy: 'merge', patchMergeKey: 'name' }),
    resources: f.struct(8, ResourceRequirements, {
      doc: 'Compute resources it needs and may use.',
      presence: 'always',
    }),
    volumeMounts: f.list(9, VolumeMount, {
      doc: 'Volumes in its file system.',
      patchStrategy: 'merge',
      patchMergeKey: 'mountPath',
    }),
    volumeDevices: f.list(21, VolumeDevice, {
      doc: 'Volumes as block devices.',
      patchStrategy: 'merge',
      patchMergeKey: 'devicePath',
    }),
    livenessProbe: f.struct(10, Probe, {
      doc: 'When it fails, the container is restarted.',
      presence: 'pointer',
    }),
    readinessProbe: f.struct(11, Probe, {
      doc: 'While it fails, the pod gets no traffic from services.',
      presence: 'pointer',
    }),
    startupProbe: f.struct(22, Probe, {
      doc: 'Until it succeeds, the other probes wait.',
      presence: 'pointer',
      since: '1.18',
      gate: 'StartupProbe',
    }),
    lifecycle: f.struct(12, Lifecycle, {
      doc: 'What is done after the start and before the end.',
      presence: 'pointer',
    }),
    terminationMessagePath: f.string(13, {
      doc: "File whose content becomes the message of the container's end.",
      default: '/dev/termination-log',
    }),
    terminationMessagePolicy: f.string(20, {
      doc: 'Where that message comes from: File, or FallbackToLogsOnError.',
      default: 'File',
    }),
    imagePullPolicy: f.string(14, {
      doc: 'When the image is fetched: Always, Never or IfNotPresent.',
      default: defaultPullPolicy,
      enum: ['Always', 'IfNotPresent', 'Never'],
    }),
    securityContext: f.struct(15, SecurityContext, {
      doc: 'Security settings; they win over those of the pod.',
      presence: 'pointer',
    }),
    stdin: f.bool(16, { doc: 'Keeps standard input open.' }),
    stdinOnce: f.bool(17, { doc: 'Closes standard input after the first client has left.' }),
    tty: f.bool(18, { doc: 'Gives it a terminal.' }),
  },
  { checks: [checkContainer] },
);
