import { f, items } from '@orch/schema';
import { ContainerResizePolicy, ContainerRestartRule, VolumeDevice, VolumeMount } from './container-parts.ts';
import { defaultPullPolicy } from './defaults.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { SecurityContext } from './security.ts';

type OwnField = 'ports' | 'resources' | 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'lifecycle';

/** The fields of every kind of container, in JSON order; `own` are those that ephemeral containers may not set. */
export const containerFields = (own: Readonly<Record<OwnField, ReturnType<typeof f.struct>>>) => ({
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
  ports: own.ports,
  envFrom: f.list(19, EnvFromSource, { doc: 'Objects whose keys become environment variables.' }),
  env: f.list(7, EnvVar, { doc: 'Environment variables.', patchStrategy: 'merge', patchMergeKey: 'name' }),
  resources: own.resources,
  resizePolicy: f.list(23, ContainerResizePolicy, {
    doc: 'Action that a change of its resources requires.',
    listType: 'atomic',
    since: '1.33',
    gate: 'InPlacePodVerticalScaling',
  }),

  restartPolicy: f.string(24, {
    doc: 'When it is restarted, instead of as the pod says. An init container with Always runs beside the others.',
    presence: 'pointer',
    since: '1.29',
    gate: 'SidecarContainers',
  }),
  restartPolicyRules: f.list(25, ContainerRestartRule, {
    doc: 'Rules that are evaluated when the container ends, in their order, before restartPolicy.',
    listType: 'atomic',
    maxItems: 20,
    since: '1.35',
    gate: 'ContainerRestartRules',
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
  livenessProbe: own.livenessProbe,
  readinessProbe: own.readinessProbe,
  startupProbe: own.startupProbe,
  lifecycle: own.lifecycle,
  terminationMessagePath: f.string(13, {
    doc: 'File whose content becomes the termination message.',
    default: '/dev/termination-log',
  }),
  terminationMessagePolicy: f.string(20, {
    doc: 'Where that message comes from: File, or FallbackToLogsOnError.',
    default: 'File',
    openapiEnum: { values: ['FallbackToLogsOnError', 'File'] },
  }),
  imagePullPolicy: f.string(14, {
    doc: 'When the image is fetched: Always, Never or IfNotPresent.',
    default: defaultPullPolicy,
    enum: ['Always', 'IfNotPresent', 'Never'],
  }),
  securityContext: f.struct(15, SecurityContext, {
    doc: 'Security settings, which take precedence over those of the pod.',
    presence: 'pointer',
  }),
  stdin: f.bool(16, { doc: 'Keeps standard input open.' }),
  stdinOnce: f.bool(17, { doc: 'Closes standard input after the first client has disconnected.' }),
  tty: f.bool(18, { doc: 'Allocates a terminal.' }),
});
