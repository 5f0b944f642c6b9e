import { type Release, servedIn } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';

/** Paths of selectable fields in objects as clients of the version see them. */
type FieldLabels = Readonly<Record<string, string | ((object: ApiObject) => string)>>;

const paths = (prefix: string, names: readonly string[]): FieldLabels =>
  Object.fromEntries(names.map((name) => [`${prefix}.${name}`, `${prefix}.${name}`]));

const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

const newEvent: FieldLabels = {
  type: 'type',
  reason: 'reason',
  reportingController: 'reportingController',
  ...paths('regarding', referenceFields),
};

const signerName: FieldLabels = { 'spec.signerName': 'spec.signerName' };
const successfulJobs: FieldLabels = { 'status.successful': () => '' };

const deviceOwner: FieldLabels = paths('spec', ['nodeName', 'driver']);

const ofPodCertificate = {
  'spec.nodeName': 'spec.nodeName',
  'spec.podName': 'spec.podName',
  'spec.signerName': 'spec.signerName',
};

/** By version and kind, besides the fields of metadata that all objects are selected by. */
const labels: Readonly<Record<string, FieldLabels>> = {
  'v1 Event': {
    type: 'type',
    reason: 'reason',
    reportingComponent: 'reportingComponent',
    source: (event) => read(event, 'source.component') || read(event, 'reportingComponent'),
    ...paths('involvedObject', referenceFields),
  },
  'events.k8s.io/v1 Event': newEvent,
  'events.k8s.io/v1beta1 Event': newEvent,
  'v1 Namespace': { 'status.phase': 'status.phase' },
  'v1 Node': { 'spec.unschedulable': (node) => read(node, 'spec.unschedulable') || 'false' },
  'v1 Pod': {
    ...paths('spec', ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName']),
    'spec.host': 'spec.nodeName',
    ...paths('status', ['phase', 'podIP', 'nominatedNodeName']),
    'status.podIPs': (pod) => read(pod, 'status.podIPs.0.ip'),
    'spec.hostNetwork': (pod) => read(pod, 'spec.hostNetwork') || 'false',
  },
  'v1 Service': paths('spec', ['clusterIP', 'type']),
  'v1 ReplicationController': { 'status.replicas': (object) => read(object, 'status.replicas') || '0' },
  'v1 Secret': { type: 'type' },
  'batch/v1 Job': { 'status.successful': (job) => read(job, 'status.succeeded') || '0' },
  'batch/v1beta1 CronJob': successfulJobs,
  'batch/v2alpha1 CronJob': successfulJobs,
  'certificates.k8s.io/v1 CertificateSigningRequest': signerName,
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': signerName,
  'certificates.k8s.io/v1 ClusterTrustBundle': signerName,
  'certificates.k8s.io/v1 PodCertificateRequest': ofPodCertificate,
  'certificates.k8s.io/v1beta1 PodCertificateRequest': ofPodCertificate,
  'certificates.k8s.io/v1alpha1 PodCertificateRequest': ofPodCertificate,
  'certificates.k8s.io/v1beta1 ClusterTrustBundle': signerName,
  'coordination.k8s.io/v1beta1 LeaseCandidate': { 'spec.leaseName': 'spec.leaseName' },
  'coordination.k8s.io/v1alpha2 LeaseCandidate': { 'spec.leaseName': 'spec.leaseName' },
  'coordination.k8s.io/v1alpha1 LeaseCandidate': { 'spec.leaseName': 'spec.leaseName' },
  'certificates.k8s.io/v1alpha1 ClusterTrustBundle': signerName,
  'resource.k8s.io/v1 ResourceSlice': deviceOwner,
  'resource.k8s.io/v1beta2 ResourceSlice': deviceOwner,
  'resource.k8s.io/v1beta1 ResourceSlice': deviceOwner,
  'resource.k8s.io/v1alpha3 ResourceSlice': deviceOwner,
  'resource.k8s.io/v1alpha2 ResourceSlice': { driverName: 'driverName', nodeName: 'nodeName' },
};

/** Releases that introduced fields of kinds that are older. */
const introduced: Readonly<Record<string, Release>> = {
  'v1 Pod spec.hostNetwork': '1.28',
  'v1 Service spec.clusterIP': '1.31',
  'v1 Service spec.type': '1.31',
};

/** The value at a path, as text; `''` where there is none. */
function read(object: unknown, path: string): string {
  let value: unknown = object;
  for (const part of path.split('.'))
    value = Array.isArray(value) || isJsonObject(value) ? Reflect.get(value, part) : undefined;
  return value === undefined || value === null ? '' : String(value);
}

/**
 * The selectable fields of a kind in a release, each with its value in `object`. `apiVersion` is written with the names of
 * the ecosystem, as in manifests.
 */
export function selectableFields(
  {
    apiVersion,
    kind,
    release,
  }: { readonly apiVersion: string; readonly kind: string; readonly release: Release },
  object: ApiObject,
): ReadonlyMap<string, string> {
  const own = Object.entries(labels[`${apiVersion} ${kind}`] ?? {}).filter(([label]) =>
    servedIn(release, { introduced: introduced[`${apiVersion} ${kind} ${label}`] ?? '1.0' }),
  );
  return new Map([
    ['metadata.name', read(object, 'metadata.name')],
    ['metadata.namespace', read(object, 'metadata.namespace')],
    ...own.map(
      ([label, where]) => [label, typeof where === 'string' ? read(object, where) : where(object)] as const,
    ),
  ]);
}
