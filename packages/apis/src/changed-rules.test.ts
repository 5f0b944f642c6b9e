import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import { daemonSets } from './apps/daemon-set/index.ts';
import { deployments } from './apps/deployment/index.ts';
import { statefulSets } from './apps/stateful-set/index.ts';
import { horizontalPodAutoscalers } from './autoscaling/horizontal-pod-autoscaler/index.ts';
import { cronJobs } from './batch/cron-job/index.ts';
import { namespaces } from './core/namespace/index.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claim/index.ts';
import { pods } from './core/pod/index.ts';
import { resourceQuotas } from './core/resource-quota/index.ts';
import { services } from './core/service/index.ts';
import { serviceAccounts } from './core/service-account.ts';
import { endpointSlices } from './discovery/endpoint-slice/index.ts';
import { priorityLevelConfigurations } from './flowcontrol/priority-level-configuration/index.ts';
import { typesAt } from './lifecycle.ts';
import { runtimeClasses } from './node/runtime-class/index.ts';
import type { Release } from './release.ts';
import type { ResourceType } from './resource-type.ts';
import { priorityClasses } from './scheduling/priority-class/index.ts';
import { csiDrivers } from './storage/csi-driver/index.ts';
import { csiNodes } from './storage/csi-node/index.ts';
import { storageClasses } from './storage/storage-class/index.ts';
import { volumeAttachments } from './storage/volume-attachment/index.ts';
import { setPath } from './testing/set-path.ts';
import { writePath } from './testing/write-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A write, and its errors before and from a release on. */
interface ChangedRule {
  readonly title: string;
  readonly type: ResourceType;
  readonly object: Fields;
  /** Fields of the stored object that an update changes; the object is created without it. */
  readonly update?: Fields;
  readonly release: Release;
  readonly before: readonly string[];
  readonly since: readonly string[];
}

const metadata = { name: 'x' };
const container = { name: 'c', image: 'i' };
const pod = (spec: Fields): Fields => ({ metadata, spec: { containers: [container], ...spec } });
const selector = { matchLabels: { a: 'b' } };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const job = { spec: { containers: [container], restartPolicy: 'Never' } };
const set = (spec: Fields): Fields => ({ metadata, spec: { selector, template, ...spec } });
const balancer = (spec: Fields): Fields => ({
  metadata,
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
});
const claim = {
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
};
const driver = { metadata, spec: {} };
const node = { metadata, spec: { drivers: [{ name: 'd', nodeID: 'n' }] } };

const rules: readonly ChangedRule[] = [
  {
    title: 'an endpoint slice with an address of the other family names the list of addresses',
    type: endpointSlices,
    object: { metadata, addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }] },
    release: '1.33',
    before: ['FieldValueInvalid endpoints[0].addresses[0]'],
    since: ['FieldValueInvalid endpoints[0].addresses', 'FieldValueInvalid endpoints[0].addresses[0]'],
  },
  {
    title: 'limits and queues of unknown types are forbidden',
    type: priorityLevelConfigurations,
    object: {
      metadata,
      spec: { type: 'X', limited: { limitResponse: { type: 'Y', queuing: { queues: 1, handSize: 2 } } } },
    },
    release: '1.37',
    before: ['FieldValueNotSupported spec.type'],
    since: [
      'FieldValueNotSupported spec.type',
      'FieldValueForbidden spec.limited',
      'FieldValueForbidden spec.limited.limitResponse.queuing',
    ],
  },
  {
    title: 'an error about an owner has its position',
    type: namespaces,
    object: { metadata: { name: 'x', ownerReferences: [{ apiVersion: 'a/b/c', kind: 'K', name: '' }] } },
    release: '1.37',
    before: ['apiVersion', 'name', 'uid'].map(
      (field) => `FieldValueInvalid metadata.ownerReferences.${field}`,
    ),
    since: [
      'FieldValueInvalid metadata.ownerReferences[0].apiVersion',
      'FieldValueRequired metadata.ownerReferences[0].name',
      'FieldValueRequired metadata.ownerReferences[0].uid',
    ],
  },
  {
    title: 'an error about a host alias has its index',
    type: pods,
    object: pod({ hostAliases: [{ ip: 'x' }] }),
    release: '1.30',
    before: ['FieldValueInvalid spec.hostAliases.ip'],
    since: ['FieldValueInvalid spec.hostAliases[0].ip'],
  },
  {
    title: 'an unknown policy for termination messages is not supported',
    type: pods,
    object: pod({ containers: [{ ...container, terminationMessagePolicy: 'X' }] }),
    release: '1.25',
    before: ['FieldValueInvalid spec.containers[0].terminationMessagePolicy'],
    since: ['FieldValueNotSupported spec.containers[0].terminationMessagePolicy'],
  },
  {
    title: 'a probe of an init container is forbidden',
    type: pods,
    object: pod({ initContainers: [{ name: 'i', image: 'i', livenessProbe: { exec: { command: ['a'] } } }] }),
    release: '1.25',
    before: ['FieldValueInvalid spec.initContainers[0].livenessProbe'],
    since: ['FieldValueForbidden spec.initContainers[0].livenessProbe'],
  },
  {
    title: 'an error about ports in the network of the node is about the host port',
    type: pods,
    object: pod({
      hostNetwork: true,
      containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }],
    }),
    release: '1.28',
    before: ['FieldValueInvalid spec.containers[0].ports[0].containerPort'],
    since: ['FieldValueInvalid spec.containers[0].ports[0].hostPort'],
  },
  {
    title: 'the name of a variable may be any printable text',
    type: pods,
    object: pod({ containers: [{ ...container, env: [{ name: '1 a' }] }] }),
    release: '1.32',
    before: ['FieldValueInvalid spec.containers[0].env[0].name'],
    since: [],
  },
  {
    title: 'the prefix of variables may be any printable text',
    type: pods,
    object: pod({ containers: [{ ...container, envFrom: [{ prefix: '1', secretRef: { name: 's' } }] }] }),
    release: '1.32',
    before: ['FieldValueInvalid spec.containers[0].envFrom[0].prefix'],
    since: [],
  },
  {
    title: 'a daemon set without a surge needs pods that may be unavailable',
    type: daemonSets,
    object: set({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
    release: '1.22',
    before: ['FieldValueInvalid spec.updateStrategy.rollingUpdate.maxUnavailable'],
    since: ['FieldValueRequired spec.updateStrategy.rollingUpdate.maxUnavailable'],
  },
  {
    title: 'the name of a stateful set is a label',
    type: statefulSets,
    object: { ...set({}), metadata: { name: 'a.b' } },
    release: '1.27',
    before: [],
    since: ['FieldValueInvalid metadata.name'],
  },
  {
    title: 'the service of a stateful set has the name of a service',
    type: statefulSets,
    object: set({ serviceName: 'a.b' }),
    release: '1.33',
    before: [],
    since: ['FieldValueInvalid spec.serviceName'],
  },
  {
    title: 'a stateful set reports each field that it cannot change',
    type: statefulSets,
    object: set({ serviceName: 'a' }),
    update: { 'spec.serviceName': 'b', 'spec.podManagementPolicy': 'Parallel' },
    release: '1.37',
    before: ['FieldValueForbidden spec'],
    since: ['FieldValueInvalid spec.podManagementPolicy', 'FieldValueInvalid spec.serviceName'],
  },
  {
    title: 'processes are shared in one way, and the error names the field of the pod',
    type: pods,
    object: pod({ shareProcessNamespace: true, hostPID: true }),
    release: '1.37',
    before: ['FieldValueInvalid spec.securityContext.shareProcessNamespace'],
    since: ['FieldValueInvalid spec.shareProcessNamespace'],
  },
  {
    title: 'a stateful set changes how many revisions it keeps',
    type: statefulSets,
    object: set({}),
    update: { 'spec.revisionHistoryLimit': 3 },
    release: '1.33',
    before: ['FieldValueForbidden spec'],
    since: [],
  },
  {
    title: 'the claims of a new stateful set are validated',
    type: statefulSets,
    object: set({ volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }] }),
    release: '1.34',
    before: [],
    since: ['accessModes', 'resources[storage]'].map(
      (field) => `FieldValueRequired spec.volumeClaimTemplates[0].spec.${field}`,
    ),
  },
  {
    title: 'invalid claims of an existing stateful set stay',
    type: statefulSets,
    object: set({ volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }] }),
    update: { 'spec.replicas': 3 },
    release: '1.34',
    before: [],
    since: [],
  },
  {
    title: 'an unknown policy for external traffic is not supported',
    type: services,
    object: balancer({ externalTrafficPolicy: 'X' }),
    release: '1.23',
    before: ['FieldValueInvalid spec.externalTrafficPolicy'],
    since: ['FieldValueNotSupported spec.externalTrafficPolicy'],
  },
  {
    title: 'an error about the clients of a load balancer has its index',
    type: services,
    object: balancer({ loadBalancerSourceRanges: ['10.0.0.0/8', 'x'] }),
    release: '1.30',
    before: ['FieldValueInvalid spec.LoadBalancerSourceRanges'],
    since: ['FieldValueInvalid spec.LoadBalancerSourceRanges[1]'],
  },
  {
    title: 'a load balancer may have the port of the node agent',
    type: services,
    object: balancer({ ports: [{ port: 10250 }] }),
    release: '1.33',
    before: ['FieldValueInvalid spec.ports[0]'],
    since: [],
  },
  {
    title: 'the label of a namespace is its name',
    type: namespaces,
    object: { metadata: { name: 'a'.repeat(64) } },
    release: '1.21',
    before: ['FieldValueInvalid metadata.name'],
    since: ['FieldValueInvalid metadata.name', 'FieldValueInvalid metadata.labels'],
  },
  {
    title: 'a claim without a class takes one later',
    type: persistentVolumeClaims,
    object: claim,
    update: { 'spec.storageClassName': 'fast' },
    release: '1.26',
    before: ['FieldValueForbidden spec'],
    since: [],
  },
  {
    title: 'an error about the value of a priority class has the name of the field',
    type: priorityClasses,
    object: { metadata, value: 5 },
    update: { value: 6 },
    release: '1.25',
    before: ['FieldValueForbidden Value'],
    since: ['FieldValueForbidden value'],
  },
  {
    title: 'a field of a storage class that cannot change is invalid',
    type: storageClasses,
    object: { metadata, provisioner: 'a/a' },
    update: { provisioner: 'b/b', reclaimPolicy: 'Retain' },
    release: '1.36',
    before: ['FieldValueForbidden provisioner', 'FieldValueForbidden reclaimPolicy'],
    since: ['FieldValueInvalid provisioner', 'FieldValueInvalid reclaimPolicy'],
  },
  {
    title: 'a runtime class needs a handler',
    type: runtimeClasses,
    object: { metadata },
    release: '1.36',
    before: ['FieldValueInvalid handler'],
    since: ['FieldValueRequired handler'],
  },
  {
    title: 'a storage driver changes what pods get to know of',
    type: csiDrivers,
    object: driver,
    update: { 'spec.podInfoOnMount': true, 'spec.fsGroupPolicy': 'File' },
    release: '1.30',
    before: ['FieldValueInvalid spec.fsGroupPolicy', 'FieldValueInvalid spec.podInfoOnMount'],
    since: [],
  },
  {
    title: 'the name of a node for a driver is longer',
    type: csiNodes,
    object: { metadata, spec: { drivers: [{ name: 'd', nodeID: 'n'.repeat(256) }] } },
    release: '1.24',
    before: ['FieldValueInvalid spec.drivers[0].nodeID'],
    since: [],
  },
  {
    title: 'an error about the entry of a driver has the name of the list',
    type: csiNodes,
    object: node,
    update: { 'spec.drivers[0].nodeID': 'other' },
    release: '1.33',
    before: ['FieldValueInvalid CSINodeDriver'],
    since: ['FieldValueInvalid spec.drivers'],
  },
  {
    title: 'a missing name of a driver is only required',
    type: csiNodes,
    object: { metadata, spec: { drivers: [{ nodeID: 'n' }] } },
    release: '1.35',
    before: ['FieldValueInvalid spec.drivers[0].name', 'FieldValueRequired spec.drivers[0].name'],
    since: ['FieldValueRequired spec.drivers[0].name'],
  },
  {
    title: 'a missing attacher is only required',
    type: volumeAttachments,
    object: { metadata, spec: { nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    release: '1.35',
    before: ['FieldValueInvalid spec.attacher', 'FieldValueRequired spec.attacher'],
    since: ['FieldValueRequired spec.attacher'],
  },
  {
    title: 'a missing maximum of an autoscaler is required',
    type: horizontalPodAutoscalers,
    object: { metadata, spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
    release: '1.36',
    before: ['FieldValueInvalid spec.maxReplicas'],
    since: ['FieldValueInvalid spec.maxReplicas', 'FieldValueRequired spec.maxReplicas'],
  },
  {
    title: 'the schedule of a new cron job names no time zone',
    type: cronJobs,
    object: { metadata, spec: { schedule: 'TZ=UTC 0 6 * * *', jobTemplate: { spec: { template: job } } } },
    release: '1.29',
    before: [],
    since: ['FieldValueInvalid spec.schedule'],
  },
  {
    title: 'an autoscaler with a metric without pods scales to zero',
    type: horizontalPodAutoscalers,
    object: {
      metadata,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 0,
        maxReplicas: 1,
        metrics: [
          {
            type: 'External',
            external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } },
          },
        ],
      },
    },
    release: '1.37',
    before: ['FieldValueInvalid spec.minReplicas'],
    since: [],
  },
  {
    title: 'a driver changes how many volumes a node takes',
    type: csiNodes,
    object: node,
    update: { 'spec.drivers[0].allocatable': { count: 3 } },
    release: '1.35',
    before: ['FieldValueInvalid spec.drivers'],
    since: [],
  },
];

const releaseBefore = (release: Release): Release => `1.${Number(release.slice(2)) - 1}`;

/** The errors of the write in a release, each once. */
function errorsIn(release: Release, { type, object, update }: ChangedRule): readonly string[] {
  const path = writePath(undefined, release);
  const stored = path.create(type, cloneJson(object));
  if (update === undefined) return textOf(stored.errors);
  const next = path.show(type, stored.object) as unknown as Record<string, unknown>;
  for (const [at, value] of Object.entries(update)) setPath(next, at, value);
  return textOf(path.update(type, stored.object, next).errors);
}

const textOf = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] => [
  ...new Set(errors.map(({ type, field }) => `${type} ${field}`)),
];

describe('rules that changed with a release', () => {
  for (const rule of rules) {
    it(`${rule.title}, from ${rule.release} on`, () => {
      assert.deepEqual(errorsIn(releaseBefore(rule.release), rule).toSorted(), rule.before.toSorted());
      assert.deepEqual(errorsIn(rule.release, rule).toSorted(), rule.since.toSorted());
    });
  }

  it('templates of pods in the network of the node have no host ports from 1.28 on', () => {
    const ports = [{ containerPort: 80 }];
    const inTemplate = (release: Release): unknown => {
      const spec = { hostNetwork: true, containers: [{ ...container, ports }] };
      const { object, errors } = writePath(undefined, release).create(
        deployments,
        set({ template: { ...template, spec } }),
      );
      assert.deepEqual(errors, []);
      return JSON.stringify(object).includes('hostPort');
    };
    assert.deepEqual(['1.27', '1.28'].map(inTemplate), [true, false]);
  });

  it('a negative period of a pod is one second from 1.27 on, and that of a template stays', () => {
    const periodOf = (release: Release, type: ResourceType, object: Fields): unknown => {
      const { object: stored, errors } = writePath(undefined, release).create(type, object);
      assert.deepEqual(errors, []);
      return /"terminationGracePeriodSeconds":(-?\d+)/.exec(JSON.stringify(stored))?.[1];
    };
    const spec = { terminationGracePeriodSeconds: -1 };
    const own = ['1.26', '1.27'].map((release) => periodOf(release, pods, pod(spec)));
    const inTemplate = set({ template: { ...template, spec: { ...template.spec, ...spec } } });
    assert.deepEqual([...own, periodOf('1.27', deployments, inTemplate)], ['-1', '1', '-1']);
  });

  it('a service that becomes an alias loses its policy for traffic within the cluster from 1.24 on', () => {
    const policyOf = (release: Release): unknown => {
      const path = writePath(undefined, release);
      const stored = path.create(services, { metadata, spec: { ports: [{ port: 80 }] } }).object;
      const next = path.show(services, stored) as unknown as { spec: Record<string, unknown> };
      Object.assign(next.spec, { type: 'ExternalName', externalName: 'a.b' });
      const { object } = path.update(services, stored, next);
      return JSON.stringify(object).includes('internalTrafficPolicy');
    };
    assert.deepEqual(['1.23', '1.24'].map(policyOf), [true, false]);
  });

  it('a rule with a feature gate holds earlier where the gate is enabled', () => {
    const openGates = new Set(['RelaxedEnvironmentVariableValidation']);
    const object = pod({ containers: [{ ...container, env: [{ name: '1 a' }] }] });
    assert.deepEqual(writePath(undefined, '1.30', { openGates }).create(pods, object).errors, []);
    assert.equal(writePath(undefined, '1.30').create(pods, object).errors.length, 1);
  });

  it('tables show quotas before their age from 1.33 on, and no secrets of service accounts from 1.35 on', () => {
    const columnsIn = (release: Release, type: ResourceType): string =>
      typesAt(release, [type])[0]
        ?.table?.columns.map(({ name }) => name)
        .join(' ') ?? '';
    assert.deepEqual(
      ['1.32', '1.33'].map((release) => columnsIn(release, resourceQuotas)),
      ['Name Age Request Limit', 'Name Request Limit Age'],
    );
    assert.deepEqual(
      ['1.34', '1.35'].map((release) => columnsIn(release, serviceAccounts)),
      ['Name Secrets Age', 'Name Age'],
    );
  });
});
