import type { ApiObject } from '@orch/machinery';

/**
 * A status of each kind that has one, with fields that all releases have. Keys are a kind, or a version and a kind
 * where the older form differs. A kind that gets a status needs a row here.
 */
const TIME = '2024-05-06T07:08:09Z';
const LATER = '2024-05-06T08:08:09Z';

/** A certificate in PEM, as JSON carries it. */
const CERTIFICATE_PEM = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJkakNDQVJ1Z0F3SUJBZ0lVTGFkZmwxSTlNaGhNQ1pzZ1l0eVpiMDQ1VEdj',
  'd0NnWUlLb1pJemowRUF3SXcKRHpFTk1Bc0dBMVVFQXd3RWFXNWxjekFnRncweU5qRXhNakl3TVRJNE5EWmFHQTh5TVRJMk1UQXlP',
  'VEF4TWpnMApObG93RHpFTk1Bc0dBMVVFQXd3RWFXNWxjekJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCRi9qCjhR',
  'RDBiKzFJK3IvM1Z0ZENiMEo0TFEzSnhwaVl0TUhsQ285cjg3SEQ5VWNNTlcvYXkrUjZ6T0lZUEE1L1FmeXMKbmVQYTQzVWxybDls',
  'bXVEaXE3cWpVekJSTUIwR0ExVWREZ1FXQkJUUnRpRndiWVd4ZnlJT29nVGhad2hBOGZCeQpNekFmQmdOVkhTTUVHREFXZ0JUUnRp',
  'RndiWVd4ZnlJT29nVGhad2hBOGZCeU16QVBCZ05WSFJNQkFmOEVCVEFECkFRSC9NQW9HQ0NxR1NNNDlCQU1DQTBrQU1FWUNJUUNJ',
  'WEJoZmV4VVpKanhlQ1BQaHM0cWdmc0FlaFdkM2daYjUKaFNRVFdkZmZnd0loQUl0blFJdWVkR3UvOThxRk95M2piRGZ1WXdtT09P',
  'WEhhY1ltMW1UTEt5YTUKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=',
].join('');

const condition = (type: string, reason: string) => ({
  type,
  status: 'True',
  reason,
  message: `${reason} it is`,
  lastTransitionTime: TIME,
});

/** Conditions of the kind that all newer APIs share. */
const sharedCondition = (type: string, reason: string) => ({
  ...condition(type, reason),
  observedGeneration: 1,
});

const workloadCondition = { ...condition('Progressing', 'NewReplicaSetAvailable') };

const autoscalerStatus = {
  observedGeneration: 1,
  lastScaleTime: TIME,
  currentReplicas: 3,
  desiredReplicas: 5,
};

const consumer = {
  resource: 'pods',
  name: 'cover-renderer',
  uid: '6a8c7f2e-1f53-4a0e-8f1e-5e0c3b0d9a11',
};

const scanner = {
  request: 'scanner',
  driver: 'scanners.bookshop.example',
  pool: 'shelf-1.rack.example',
  device: 'scanner-0',
};

const scannerConfiguration = {
  source: 'FromClaim',
  requests: ['scanner'],
  opaque: { driver: 'scanners.bookshop.example', parameters: { beep: false } },
};

const resourceClaimStatus = (allocation: object) => ({
  driverName: 'graphics.bookshop.example',
  allocation: { ...allocation, shareable: true },
  reservedFor: [consumer],
});

const schedulingStatus = {
  resourceClaims: [{ name: 'graphics', unsuitableNodes: ['shelf-1.rack.example'] }],
};

const budgetStatus = {
  observedGeneration: 1,
  disruptionsAllowed: 1,
  currentHealthy: 3,
  desiredHealthy: 2,
  expectedPods: 3,
  disruptedPods: { 'ledger-2': LATER },
};

export const statuses: Readonly<Record<string, object>> = {
  APIService: {
    conditions: [condition('Available', 'Passed')],
  },
  CSINode: {},
  ResourcePoolStatusRequest: {
    poolCount: 2,
    pools: [
      {
        driver: 'scanners.bookshop.example',
        poolName: 'shelf-1.rack.example',
        generation: 3,
        resourceSliceCount: 1,
        totalDevices: 4,
        allocatedDevices: 1,
        availableDevices: 3,
        unavailableDevices: 0,
      },
    ],
    conditions: [sharedCondition('Complete', 'Calculated')],
  },
  PodGroup: { conditions: [sharedCondition('PodGroupInitiallyScheduled', 'Scheduled')] },
  PodCertificateRequest: { conditions: [sharedCondition('Denied', 'UnsupportedKeyType')] },
  CertificateSigningRequest: {
    conditions: [
      {
        type: 'Failed',
        status: 'True',
        reason: 'NoInk',
        message: 'the signer has run out of ink',
        lastUpdateTime: TIME,
        lastTransitionTime: TIME,
      },
    ],
  },
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': { certificate: CERTIFICATE_PEM },
  CronJob: {
    active: [{ kind: 'Job', namespace: 'default', name: 'nightly-backup-28', apiVersion: 'batch/v1' }],
    lastScheduleTime: TIME,
  },
  CustomResourceDefinition: {
    conditions: [condition('NamesAccepted', 'NoConflicts'), condition('Established', 'InitialNamesAccepted')],
    acceptedNames: {
      plural: 'shelves',
      singular: 'shelf',
      kind: 'Shelf',
      listKind: 'ShelfList',
      shortNames: ['sh'],
    },
    storedVersions: ['v1'],
  },
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': {
    conditions: [condition('NamesAccepted', 'NoConflicts')],
    acceptedNames: { plural: 'authors', singular: 'author', kind: 'Author', listKind: 'AuthorList' },
    storedVersions: ['v1beta1'],
  },
  DaemonSet: {
    currentNumberScheduled: 4,
    numberMisscheduled: 1,
    desiredNumberScheduled: 5,
    numberReady: 3,
    observedGeneration: 1,
    updatedNumberScheduled: 4,
    numberAvailable: 3,
    numberUnavailable: 2,
    collisionCount: 1,
  },
  Deployment: {
    observedGeneration: 1,
    replicas: 4,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 2,
    unavailableReplicas: 2,
    conditions: [{ ...workloadCondition, lastUpdateTime: TIME }],
    collisionCount: 1,
  },
  CompositePodGroup: { conditions: [sharedCondition('DisruptionTarget', 'PreemptionByScheduler')] },
  'lifecycle.k8s.io/v1alpha1 Eviction': {
    conditions: [sharedCondition('TargetEvicted', 'PodDeleted')],
    observedGeneration: 1,
    requesters: [{ name: 'bookshop.example/warden', intent: 'Eviction' }],
  },
  EvictionRequest: { conditions: [sharedCondition('TargetEvicted', 'PodDeleted')], observedGeneration: 1 },
  FlowSchema: { conditions: [condition('Dangling', 'Found')] },
  HorizontalPodAutoscaler: {
    ...autoscalerStatus,
    conditions: [condition('AbleToScale', 'ReadyForNewScale')],
    currentMetrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 55, averageValue: '110m' } },
      },
      {
        type: 'Pods',
        pods: { metric: { name: 'queries_per_second' }, current: { averageValue: '900m' } },
      },
    ],
  },
  'autoscaling/v1 HorizontalPodAutoscaler': {
    ...autoscalerStatus,
    currentCPUUtilizationPercentage: 61,
  },
  'autoscaling/v2beta1 HorizontalPodAutoscaler': {
    ...autoscalerStatus,
    conditions: [condition('AbleToScale', 'ReadyForNewScale')],
    currentMetrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', currentAverageUtilization: 55, currentAverageValue: '110m' },
      },
      { type: 'Pods', pods: { metricName: 'images_per_second', currentAverageValue: '9' } },
    ],
  },
  Ingress: {
    loadBalancer: { ingress: [{ ip: '203.0.113.20' }, { hostname: 'door.bookshop.example' }] },
  },
  Job: {
    startTime: TIME,
    active: 2,
    succeeded: 4,
    failed: 1,
    conditions: [
      {
        ...condition('FailureTarget', 'BackoffLimitExceeded'),
        lastProbeTime: LATER,
        lastTransitionTime: LATER,
      },
    ],
  },
  Namespace: { phase: 'Active' },
  NetworkPolicy: { conditions: [sharedCondition('Accepted', 'Translated')] },
  Node: {
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    allocatable: { cpu: '15500m', memory: '62Gi', pods: '110' },
    conditions: [{ ...condition('Ready', 'NodeReady'), lastHeartbeatTime: LATER }],
    addresses: [
      { type: 'InternalIP', address: '192.0.2.43' },
      { type: 'Hostname', address: 'shelf-3' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: '3f2a',
      systemUUID: '3f2a-9c',
      bootID: 'b00t',
      kernelVersion: '6.1.0',
      osImage: 'Shelf OS 4',
      containerRuntimeVersion: 'containerd://1.7.0',
      kubeletVersion: 'v1.15.0',
      kubeProxyVersion: 'v1.15.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    images: [{ names: ['registry.bookshop.example/orders-api:7.4.1'], sizeBytes: 71303168 }],
    volumesInUse: ['tape/7'],
    volumesAttached: [{ name: 'tape/7', devicePath: '/dev/tape7' }],
  },
  PersistentVolume: { phase: 'Bound', message: 'bound in the morning', reason: 'Claimed' },
  PersistentVolumeClaim: {
    phase: 'Bound',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '500Gi' },
    conditions: [{ ...condition('Resizing', 'Growing'), lastProbeTime: LATER }],
  },
  Pod: {
    phase: 'Running',
    message: 'all is well',
    nominatedNodeName: 'shelf-4.rack.example',
    hostIP: '192.0.2.43',
    podIP: '10.244.3.17',
    startTime: TIME,
    conditions: [{ ...condition('Ready', 'ContainersReady'), lastProbeTime: LATER }],
    containerStatuses: [
      {
        name: 'api',
        state: { running: { startedAt: TIME } },
        lastState: { terminated: { exitCode: 137, signal: 9, reason: 'OOMKilled', finishedAt: TIME } },
        ready: true,
        restartCount: 2,
        image: 'registry.bookshop.example/orders-api:7.4.1',
        imageID: 'sha256:0f1e',
        containerID: 'containerd://0f1e',
      },
    ],
  },
  PodDisruptionBudget: budgetStatus,
  PodScheduling: schedulingStatus,
  PodSchedulingContext: schedulingStatus,
  PriorityLevelConfiguration: { conditions: [condition('Concurrency', 'Shared')] },
  ReplicaSet: {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 1,
    conditions: [condition('ReplicaFailure', 'FailedCreate')],
  },
  ReplicationController: {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 1,
    conditions: [condition('ReplicaFailure', 'FailedCreate')],
  },
  DeviceTaintRule: { conditions: [sharedCondition('EvictionInProgress', 'PodsPendingEviction')] },
  ResourceClaim: {
    allocation: { devices: { results: [scanner], config: [scannerConfiguration] } },
    reservedFor: [consumer],
  },
  'resource.k8s.io/v1alpha2 ResourceClaim': resourceClaimStatus({
    resourceHandles: [{ driverName: 'graphics.bookshop.example', data: '{"card":4}' }],
  }),
  'resource.k8s.io/v1alpha1 ResourceClaim': resourceClaimStatus({ resourceHandle: '{"card":4}' }),
  ResourceQuota: {
    hard: { pods: '40', 'requests.cpu': '20' },
    used: { pods: '12', 'requests.cpu': '7500m' },
  },
  ServiceCIDR: { conditions: [sharedCondition('Ready', 'Allocatable')] },
  Service: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } },
  StatefulSet: {
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 2,
    currentReplicas: 2,
    updatedReplicas: 1,
    currentRevision: 'ledger-6c9f7d8b54',
    updateRevision: 'ledger-7d0a8e9c65',
    collisionCount: 1,
  },
  StorageVersion: {
    storageVersions: [
      { apiServerID: 'replica-a', encodingVersion: 'v1', decodableVersions: ['v1', 'v1beta1'] },
    ],
    commonEncodingVersion: 'v1',
    conditions: [sharedCondition('AllEncodingVersionsEqual', 'CommonEncodingVersionSet')],
  },
  'storagemigration.k8s.io/v1alpha1 StorageVersionMigration': {
    conditions: [
      {
        type: 'Running',
        status: 'True',
        lastUpdateTime: TIME,
        reason: 'StorageVersionMigrationInProgress',
        message: '12 objects were examined',
      },
    ],
    resourceVersion: '12',
  },
  StorageVersionMigration: {
    conditions: [sharedCondition('Running', 'StorageVersionMigrationInProgress')],
    resourceVersion: '12',
  },
  ValidatingAdmissionPolicy: {
    observedGeneration: 1,
    typeChecking: {
      expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'no such member' }],
    },
    conditions: [sharedCondition('Checked', 'Compiled')],
  },
  VolumeAttachment: {
    attached: true,
    attachmentMetadata: { device: '/dev/tape7' },
    detachError: { time: TIME, message: 'the drawer is stuck' },
  },
};

/** From 1.29 on, only services that balance loads have addresses of a balancer. */
const statusOfOtherServices = { conditions: [sharedCondition('Published', 'AddressesAnnounced')] };

/** The status that is reported for objects of a kind, and for one of them if it is given; undefined when there is no row. */
export function statusOf(apiVersion: string, kind: string, object?: ApiObject): object | undefined {
  const isBalancer = object === undefined || (object['spec'] as { type?: string })?.type === 'LoadBalancer';
  if (apiVersion === 'v1' && kind === 'Service' && !isBalancer) return statusOfOtherServices;
  return statuses[`${apiVersion} ${kind}`] ?? statuses[kind];
}
