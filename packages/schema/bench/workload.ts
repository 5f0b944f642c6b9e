import { f, items, struct } from '../src/declare.ts';
import { ObjectMeta as Meta } from '../src/testing/widget.ts';

/** Kinds of the size and shape of a pod and a config map, without their rules. */
const ManagedFields = struct('bench.v1.ManagedFields', '', {
  manager: f.string(1),
  operation: f.string(2),
  apiVersion: f.string(3),
  time: f.time(4, { presence: 'pointer' }),
  fieldsType: f.string(6),
  fieldsV1: f.object(7, { presence: 'pointer' }),
});

const ObjectMeta = struct('bench.v1.ObjectMeta', '', {
  ...Object.fromEntries(Meta.fields.map((field) => [field.name, field])),
  managedFields: f.list(17, ManagedFields),
});

const Selector = struct('bench.v1.Selector', '', {
  apiVersion: f.string(1, { default: 'v1' }),
  fieldPath: f.string(2, { presence: 'always' }),
});
const EnvSource = struct('bench.v1.EnvSource', '', {
  fieldRef: f.struct(1, Selector, { presence: 'pointer' }),
});
const Env = struct('bench.v1.Env', '', {
  name: f.string(1, { presence: 'always', format: 'envVarName' }),
  value: f.string(2),
  valueFrom: f.struct(3, EnvSource, { presence: 'pointer' }),
});
const Port = struct('bench.v1.Port', '', {
  name: f.string(1, { format: 'portName' }),
  hostPort: f.int32(2),
  containerPort: f.int32(3, { presence: 'always', format: 'portNumber' }),
  protocol: f.string(4, { default: 'TCP', enum: ['TCP', 'UDP', 'SCTP'] }),
});
const HttpGet = struct('bench.v1.HttpGet', '', {
  path: f.string(1, { default: '/' }),
  port: f.intOrString(2, { presence: 'always' }),
  scheme: f.string(4, { default: 'HTTP' }),
});
const Probe = struct('bench.v1.Probe', '', {
  httpGet: f.struct(1, HttpGet, { presence: 'pointer' }),
  initialDelaySeconds: f.int32(2),
  timeoutSeconds: f.int32(3, { default: 1 }),
  periodSeconds: f.int32(4, { default: 10 }),
  successThreshold: f.int32(5, { default: 1 }),
  failureThreshold: f.int32(6, { default: 3 }),
});
const Resources = struct('bench.v1.Resources', '', {
  limits: f.map(1, items.quantity),
  requests: f.map(2, items.quantity),
});
const Mount = struct('bench.v1.Mount', '', {
  name: f.string(1, { presence: 'always' }),
  readOnly: f.bool(2),
  mountPath: f.string(3, { presence: 'always', required: true }),
});
const rest = Object.fromEntries(
  [
    'lifecycle',
    'securityContext',
    'startupProbe',
    'subPath',
    'tty',
    'stdin',
    'stdinOnce',
    'volumeDevices',
  ].map((name, i) => [name, f.string(50 + i)]),
);
const Container = struct('bench.v1.Container', '', {
  name: f.string(1, { presence: 'always', required: true, format: 'dns1123label' }),
  image: f.string(2, { required: true }),
  command: f.list(3, items.string),
  args: f.list(4, items.string),
  workingDir: f.string(5),
  ports: f.list(6, Port, { uniqueBy: 'name' }),
  env: f.list(7, Env),
  resources: f.struct(8, Resources, { presence: 'always' }),
  volumeMounts: f.list(9, Mount),
  livenessProbe: f.struct(10, Probe, { presence: 'pointer' }),
  readinessProbe: f.struct(11, Probe, { presence: 'pointer' }),
  ...rest,
  terminationMessagePath: f.string(13, { default: '/dev/termination-log' }),
  terminationMessagePolicy: f.string(20, { default: 'File' }),
  imagePullPolicy: f.string(14, {
    default: (container: Readonly<Record<string, unknown>>) =>
      String(container['image']).endsWith(':latest') ? 'Always' : 'IfNotPresent',
  }),
});
const Volume = struct('bench.v1.Volume', '', {
  name: f.string(1, { presence: 'always' }),
  emptyDir: f.object(2, { presence: 'pointer' }),
});
const Toleration = struct('bench.v1.Toleration', '', {
  key: f.string(1),
  operator: f.string(2),
  effect: f.string(4),
  tolerationSeconds: f.int64(5, { presence: 'pointer' }),
});
const Spec = struct('bench.v1.Spec', '', {
  volumes: f.list(1, Volume, { uniqueBy: 'name' }),
  initContainers: f.list(20, Container),
  containers: f.list(2, Container, { required: true, uniqueBy: 'name' }),
  ...rest,
  restartPolicy: f.string(3, { default: 'Always', enum: ['Always', 'OnFailure', 'Never'] }),
  terminationGracePeriodSeconds: f.int64(4, { presence: 'pointer', default: 30 }),
  dnsPolicy: f.string(6, { default: 'ClusterFirst' }),
  nodeSelector: f.map(7, items.string, { keyFormat: 'qualifiedName' }),
  nodeName: f.string(10),
  schedulerName: f.string(19, { default: 'default-scheduler' }),
  tolerations: f.list(22, Toleration),
});
const Condition = struct('bench.v1.Condition', '', {
  type: f.string(1, { presence: 'always' }),
  status: f.string(2, { presence: 'always' }),
  lastProbeTime: f.time(3, { presence: 'always' }),
  lastTransitionTime: f.time(4, { presence: 'always' }),
});
const Status = struct('bench.v1.Status', '', {
  phase: f.string(1),
  conditions: f.list(2, Condition),
  hostIP: f.string(5),
  podIP: f.string(6),
  startTime: f.time(7, { presence: 'pointer' }),
});

export const Workload = struct(
  'bench.v1.Workload',
  '',
  {
    metadata: f.struct(1, ObjectMeta, { presence: 'always' }),
    spec: f.struct(2, Spec, { presence: 'always' }),
    status: f.struct(3, Status, { presence: 'always' }),
  },
  { typeMeta: true },
);

export const ConfigData = struct(
  'bench.v1.ConfigData',
  '',
  {
    metadata: f.struct(1, ObjectMeta, { presence: 'always' }),
    immutable: f.bool(4, { presence: 'pointer' }),
    data: f.map(2, items.string, { keyFormat: 'configMapKey' }),
    binaryData: f.map(3, items.bytes),
  },
  { typeMeta: true },
);

const container = (name: string): object => ({
  name,
  image: 'nginx:1.19',
  ports: [{ containerPort: 80, name: 'http' }],
  env: [
    { name: 'MODE', value: 'production' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
  livenessProbe: { httpGet: { path: '/healthz', port: 80 }, initialDelaySeconds: 3 },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
});

const managed = {
  manager: 'some-controller',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2024-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:containers': {
        'k:{"name":"c"}': {
          '.': {},
          'f:image': {},
          'f:name': {},
          'f:resources': { '.': {}, 'f:limits': {} },
        },
      },
      'f:dnsPolicy': {},
      'f:restartPolicy': {},
      'f:schedulerName': {},
    },
  },
};

/** Input of a client: fields in alphabetical order, defaults left out. */
export const workload = (containers: number, managers: number): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    annotations: { note: 'x'.repeat(100) },
    labels: { app: 'web', 'app.example.com/name': 'web', tier: 'front' },
    managedFields: new Array(managers).fill(managed),
    name: 'web-0',
    namespace: 'default',
  },
  spec: {
    containers: Array.from({ length: containers }, (_, i) => container(`c${i}`)),
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ effect: 'NoExecute', key: 'a', operator: 'Exists' }],
    volumes: [{ emptyDir: {}, name: 'data' }],
  },
  ...(managers === 0
    ? {}
    : {
        status: {
          conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
            lastTransitionTime: '2024-01-01T00:00:00Z',
            status: 'True',
            type,
          })),
          hostIP: '10.0.0.1',
          phase: 'Running',
          podIP: '10.1.0.1',
          startTime: '2024-01-01T00:00:00Z',
        },
      }),
});

export const configData = (): object => ({
  apiVersion: 'v1',
  data: { a: 'x'.repeat(800), b: 'y' },
  kind: 'ConfigMap',
  metadata: { labels: { app: 'web' }, name: 'settings', namespace: 'default' },
});
