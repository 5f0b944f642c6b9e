import { f, items, struct } from '@orch/schema';
import { ResourceRequirements } from '../resources.ts';
import { ContainerPort, VolumeDevice, VolumeMount } from './container.ts';
import { defaultPullPolicy } from './defaults.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { Lifecycle, Probe } from './probe.ts';
import { SecurityContext } from './security.ts';
import { checkContainer } from './validation/container.ts';

export const EphemeralContainerCommon = struct(
  'core.v1.EphemeralContainerCommon',
  'What an ephemeral container shares with others.',
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
      doc: 'Not allowed.',
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    }),
    envFrom: f.list(19, EnvFromSource, { doc: 'Objects whose keys become environment variables.' }),
    env: f.list(7, EnvVar, { doc: 'Environment variables.', patchStrategy: 'merge', patchMergeKey: 'name' }),
    resources: f.struct(8, ResourceRequirements, {
      doc: 'Not allowed: what the pod has is shared.',
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
    livenessProbe: f.struct(10, Probe, { doc: 'Not allowed.', presence: 'pointer' }),
    readinessProbe: f.struct(11, Probe, { doc: 'Not allowed.', presence: 'pointer' }),
    startupProbe: f.struct(22, Probe, { doc: 'Not allowed.', presence: 'pointer' }),
    lifecycle: f.struct(12, Lifecycle, { doc: 'Not allowed.', presence: 'pointer' }),
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

export const EphemeralContainer = struct(
  'core.v1.EphemeralContainer',
  'A container that is added to a running pod, to look into it. It is never restarted and cannot be removed.',
  {
    ephemeralContainerCommon: f.inline(1, EphemeralContainerCommon, {
      protoName: 'ephemeralContainerCommon',
    }),
    targetContainerName: f.string(2, { doc: 'Container whose process namespace it joins.' }),
  },
);
