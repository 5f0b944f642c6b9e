import type { Naming } from '@orch/machinery';

/** A version that a release removed (API conventions, 9.4). Names follow `--naming=kubernetes`. */
export interface RemovedVersion {
  readonly release: string;
  readonly apiVersion: string;
  readonly kinds: readonly string[];
  /** The version to use instead, or what the report says when there is none. */
  readonly replacement: string;
}

const row = (
  release: string,
  apiVersion: string,
  kinds: readonly string[],
  replacement: string,
): RemovedVersion => ({ release, apiVersion, kinds, replacement });

/** All rows of the table, each version of a row on its own. */
export const removedVersions: readonly RemovedVersion[] = [
  row('1.27', 'storage.k8s.io/v1beta1', ['CSIStorageCapacity'], 'storage.k8s.io/v1'),
  row(
    '1.26',
    'flowcontrol.apiserver.k8s.io/v1beta1',
    ['FlowSchema', 'PriorityLevelConfiguration'],
    'flowcontrol.apiserver.k8s.io/v1beta',
  ),
  row('1.26', 'autoscaling/v2beta2', ['HorizontalPodAutoscaler'], 'autoscaling/v2'),
  row('1.25', 'batch/v1beta1', ['CronJob'], 'batch/v1'),
  row('1.25', 'discovery.k8s.io/v1beta1', ['EndpointSlice'], 'discovery.k8s.io/v1'),
  row('1.25', 'events.k8s.io/v1beta1', ['Event'], 'events.k8s.io/v1'),
  row('1.25', 'autoscaling/v2beta1', ['HorizontalPodAutoscaler'], 'autoscaling/v2'),
  row('1.25', 'policy/v1beta1', ['PodDisruptionBudget'], 'policy/v1'),
  row('1.25', 'policy/v1beta1', ['PodSecurityPolicy'], 'nothing replaces it'),
  row('1.25', 'node.k8s.io/v1beta1', ['RuntimeClass'], 'node.k8s.io/v1'),
  row(
    '1.22',
    'admissionregistration.k8s.io/v1beta1',
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    'admissionregistration.k8s.io/v1',
  ),
  row('1.22', 'apiextensions.k8s.io/v1beta1', ['CustomResourceDefinition'], 'apiextensions.k8s.io/v1'),
  row('1.22', 'apiregistration.k8s.io/v1beta1', ['APIService'], 'apiregistration.k8s.io/v1'),
  row('1.22', 'authentication.k8s.io/v1beta1', ['TokenReview'], 'authentication.k8s.io/v1'),
  row(
    '1.22',
    'authorization.k8s.io/v1beta1',
    ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview', 'SelfSubjectRulesReview'],
    'authorization.k8s.io/v1',
  ),
  row('1.22', 'certificates.k8s.io/v1beta1', ['CertificateSigningRequest'], 'certificates.k8s.io/v1'),
  row('1.22', 'coordination.k8s.io/v1beta1', ['Lease'], 'coordination.k8s.io/v1'),
  row('1.22', 'extensions/v1beta1', ['Ingress'], 'networking.k8s.io/v1'),
  row('1.22', 'networking.k8s.io/v1beta1', ['Ingress', 'IngressClass'], 'networking.k8s.io/v1'),
  row(
    '1.22',
    'rbac.authorization.k8s.io/v1beta1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    'rbac.authorization.k8s.io/v1',
  ),
  row('1.22', 'scheduling.k8s.io/v1beta1', ['PriorityClass'], 'scheduling.k8s.io/v1'),
  row(
    '1.22',
    'storage.k8s.io/v1beta1',
    ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
    'storage.k8s.io/v1',
  ),
  row('1.16', 'extensions/v1beta1', ['NetworkPolicy'], 'networking.k8s.io/v1'),
  row('1.16', 'extensions/v1beta1', ['DaemonSet', 'Deployment', 'ReplicaSet'], 'apps/v1'),
  row('1.16', 'apps/v1beta1', ['Deployment', 'StatefulSet'], 'apps/v1'),
  row('1.16', 'apps/v1beta2', ['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet'], 'apps/v1'),
  row('1.16', 'extensions/v1beta1', ['PodSecurityPolicy'], 'policy/v1beta1'),
];

const template =
  'template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "example.com/a:1"}]}}';
const workload = `spec:\n  selector: {matchLabels: {a: b}}\n  ${template}\n`;
const rules =
  'rules: [{apiGroups: ["*"], resources: ["*"], operations: ["*"], apiVersions: ["*"]}], clientConfig: {url: "https://127.0.0.1:1"}';
const webhooks = `webhooks: [{name: a.example.com, sideEffects: None, admissionReviewVersions: [v1beta1], failurePolicy: Ignore, namespaceSelector: {matchLabels: {none: none}}, objectSelector: {matchLabels: {none: none}}, ${rules}}]\n`;
const role = 'rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n';
const binding = (kind: string) =>
  `roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ${kind}, name: one}\nsubjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: ann}]\n`;
const scaling = (metric: string) =>
  `spec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  maxReplicas: 3\n  metrics: [{type: Resource, resource: {name: cpu, ${metric}}}]\n`;
/** A certificate signing request of ann. */
const pem =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISU1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFlXNXVNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRApRZ0FFQXpyaDJYSlU1eXBqcWNtZzdwcWNwOGxvZHZpZVRwODd5ZWtOdUVjWERvNnJPRGg5bnEvdmk5RWtTdmxVCjAyNlJ4bVdHcVZrRTBMV2doZ0NUam1qNmJxQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJQXVXeExJOVJDNjAKKzI2ZHZZeFRnc3lIU0tnVFFBZm5yVjVtZGdBS3EycFFBaUVBeUxiQk1UOHpNN1pGVUYxbXliUStoYm1OZlZpdApMODNHOVZqdHVnTlZCU0k9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

/** The fields of an object besides apiVersion, kind and metadata; by kind, or by version and kind. */
export const contents: Readonly<Record<string, string>> = {
  CSIStorageCapacity: 'storageClassName: fast\n',
  FlowSchema:
    'spec:\n  priorityLevelConfiguration: {name: exempt}\n  matchingPrecedence: 9000\n  rules: [{subjects: [{kind: User, user: {name: ann}}], nonResourceRules: [{verbs: [get], nonResourceURLs: [/x]}]}]\n',
  PriorityLevelConfiguration:
    'spec:\n  type: Limited\n  limited: {assuredConcurrencyShares: 5, limitResponse: {type: Reject}}\n',
  'autoscaling/v2beta2 HorizontalPodAutoscaler': scaling(
    'target: {type: Utilization, averageUtilization: 50}',
  ),
  'autoscaling/v2beta1 HorizontalPodAutoscaler': scaling('targetAverageUtilization: 50'),
  CronJob: `spec:\n  schedule: "* * * * *"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "example.com/a:1"}]}}}}\n`,
  EndpointSlice:
    'addressType: IPv4\nendpoints: [{addresses: [10.1.2.3], topology: {kubernetes.io/hostname: node-a, example.com/rack: r1}}]\n',
  Event:
    'regarding: {apiVersion: v1, kind: Pod, name: web, namespace: default}\ntype: Normal\naction: Start\nreason: Started\nreportingController: example.com/a\nreportingInstance: a-1\neventTime: "2026-01-01T00:00:00.000000Z"\n',
  PodDisruptionBudget: 'spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}\n',
  PodSecurityPolicy:
    'spec:\n  seLinux: {rule: RunAsAny}\n  runAsUser: {rule: RunAsAny}\n  fsGroup: {rule: RunAsAny}\n  supplementalGroups: {rule: RunAsAny}\n',
  RuntimeClass: 'handler: a\n',
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  CustomResourceDefinition:
    'spec:\n  group: example.com\n  version: v1\n  scope: Namespaced\n  names: {plural: stars, kind: Star}\n  preserveUnknownFields: false\n  subresources: {status: {}}\n  additionalPrinterColumns: [{name: Mass, type: string, JSONPath: .spec.mass}]\n  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {mass: {type: string}}}}}}\n',
  APIService:
    'spec:\n  group: example.com\n  version: v9\n  groupPriorityMinimum: 100\n  versionPriority: 10\n  insecureSkipTLSVerify: true\n  service: {name: a, namespace: default}\n',
  CertificateSigningRequest: `spec:\n  signerName: example.com/a\n  request: ${pem}\n  usages: [digital signature, key encipherment, client auth]\n`,
  Lease: 'spec: {holderIdentity: a}\n',
  Ingress:
    'spec:\n  backend: {serviceName: web, servicePort: 80}\n  rules: [{http: {paths: [{path: /a, backend: {serviceName: web, servicePort: http}}]}}]\n',
  IngressClass: 'spec: {controller: example.com/a}\n',
  ClusterRole: role,
  Role: role,
  ClusterRoleBinding: binding('ClusterRole'),
  RoleBinding: binding('Role'),
  PriorityClass: 'value: 10\n',
  CSIDriver: 'spec: {attachRequired: false}\n',
  CSINode: 'spec: {drivers: [{name: a.example.com, nodeID: a}]}\n',
  StorageClass: 'provisioner: example.com/a\n',
  VolumeAttachment: 'spec: {attacher: a.example.com, nodeName: a, source: {persistentVolumeName: a}}\n',
  NetworkPolicy: 'spec: {podSelector: {}}\n',
  DaemonSet: workload,
  Deployment: workload,
  ReplicaSet: workload,
  StatefulSet: workload.replace('spec:\n', 'spec:\n  serviceName: a\n'),
  TokenReview: 'spec: {token: abc}\n',
  LocalSubjectAccessReview:
    'spec: {user: ann, group: [a], resourceAttributes: {namespace: default, verb: get, resource: pods}}\n',
  SelfSubjectAccessReview: 'spec: {resourceAttributes: {verb: get, resource: pods}}\n',
  SubjectAccessReview: 'spec: {user: ann, group: [a], resourceAttributes: {verb: get, resource: pods}}\n',
  SelfSubjectRulesReview: 'spec: {namespace: default}\n',
};

/** Names that objects of a kind must have. */
const names: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'stars.example.com',
  APIService: 'v9.example.com',
};

export const nameOf = (kind: string): string => names[kind] ?? 'one';

/** Kinds that are not stored. */
export const virtualKinds: ReadonlySet<string> = new Set([
  ...['TokenReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview'],
  'SelfSubjectRulesReview',
]);

/** A complete object in a removed version, with comments. The apiVersion is on line 3. */
export function manifest({ apiVersion }: Pick<RemovedVersion, 'apiVersion'>, kind: string): string {
  const content = contents[`${apiVersion} ${kind}`] ?? contents[kind] ?? '';
  return `# a comment\nkind: ${kind}\napiVersion: ${apiVersion}\nmetadata:\n  name: ${nameOf(kind)}\n${content}`;
}

/** A string of `--naming=kubernetes` with the names of a naming. */
export const inNaming = (text: string, naming: Naming): string =>
  naming === 'kubernetes'
    ? text
    : text.replaceAll('.k8s.io', '.orch.io').replaceAll('kubernetes.io/', 'orch.io/');
