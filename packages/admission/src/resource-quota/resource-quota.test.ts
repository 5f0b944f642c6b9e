import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import { noConfiguration } from '../configuration/plugin-configuration.ts';
import { MemoryQuotaStore } from '../testing/memory-quota-store.ts';
import { handlesWrite, reserved, testWrite } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { resourceQuota } from './resource-quota.ts';

const names = namesFor('orch');

type Amounts = Readonly<Record<string, string>>;

interface Status {
  readonly hard?: Amounts;
  readonly used?: Amounts;
}

const quota = (name: string, status: Status, spec: object = {}): ApiObject => ({
  metadata: { name, namespace: 'ns' },
  spec: { hard: status.hard ?? {}, ...spec },
  status,
});

/** The plugin with these quotas in the namespace `ns`. */
function pluginWith(
  quotas: readonly ApiObject[],
  configuration = noConfiguration,
): { readonly plugin: AdmissionPlugin; readonly store: MemoryQuotaStore } {
  const store = new MemoryQuotaStore();
  for (const one of quotas) store.put(one);
  const clock = new FakeClock();
  const plugin = resourceQuota({ source: store.cache(), names, clock, quotas: store, configuration });
  return { plugin, store };
}

const container = (name: string, requests?: Amounts, limits?: Amounts): object => ({
  name,
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const object = (spec: object = {}, rest: object = {}): ApiObject => ({
  metadata: { name: 'o', namespace: 'ns' },
  spec,
  ...rest,
});
const pod = (requests?: Amounts, limits?: Amounts, spec: object = {}): ApiObject =>
  object({ containers: [container('c', requests, limits)], ...spec });

interface Row {
  readonly title: string;
  readonly quotas: readonly ApiObject[];
  readonly write: Partial<AdmissionAttributes>;
  readonly refusal?: string;
  /** The usage of the quota `q` after the write, when it changes. */
  readonly used?: Amounts;
}

const scoped = (scope: string, operator = 'Exists', values?: readonly string[]): object => ({
  scopeSelector: { matchExpressions: [{ scopeName: scope, operator, ...(values && { values }) }] },
});
const podsQuota = (used: string, spec: object = {}): ApiObject =>
  quota('q', { hard: { pods: '2' }, used: { pods: used } }, spec);

const creations: readonly Row[] = [
  { title: 'a namespace without quotas limits nothing', quotas: [], write: { object: pod() } },
  {
    title: 'a pod within the quota is admitted and counted before it is stored',
    quotas: [podsQuota('1')],
    write: { object: pod() },
    used: { pods: '2' },
  },
  {
    title: 'a pod beyond the quota is refused with what it requests, what is used and what is limited',
    quotas: [podsQuota('2')],
    write: { object: pod() },
    refusal: 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  },
  {
    title: 'a refusal names exactly the resources that are exceeded, in order of their names',
    quotas: [
      quota('q', {
        hard: { pods: '9', 'requests.memory': '1Gi', 'limits.cpu': '2', 'requests.cpu': '4' },
        used: { pods: '1', 'requests.memory': '768Mi', 'limits.cpu': '1500m', 'requests.cpu': '1' },
      }),
    ],
    write: { object: pod({ cpu: '500m', memory: '512Mi' }, { cpu: '1' }) },
    refusal:
      'exceeded quota: q, requested: limits.cpu=1,requests.memory=512Mi, used: limits.cpu=1500m,requests.memory=768Mi, limited: limits.cpu=2,requests.memory=1Gi',
  },
  {
    title: 'usage that is above the quota already does not refuse objects that use nothing of it',
    quotas: [
      quota('q', { hard: { pods: '9', 'limits.memory': '1' }, used: { pods: '1', 'limits.memory': '5' } }),
    ],
    write: { object: pod({}, { memory: '0' }) },
    used: { pods: '2', 'limits.memory': '5' },
  },
  {
    title: 'containers without an amount that the quota limits are refused by name',
    quotas: [
      quota('q', {
        hard: { 'limits.cpu': '4', 'requests.memory': '1' },
        used: { 'limits.cpu': '0', 'requests.memory': '0' },
      }),
    ],
    write: {
      object: object({
        containers: [container('b'), container('a', { memory: '1' })],
        initContainers: [container('i', {}, { cpu: '1' })],
      }),
    },
    refusal: 'failed quota: q: must specify limits.cpu for: a,b; requests.memory for: b,i',
  },
  {
    title: 'containers need not specify amounts of ephemeral storage and of extended resources',
    quotas: [
      quota('q', {
        hard: { 'requests.ephemeral-storage': '1', 'requests.example.com/gpu': '1' },
        used: { 'requests.ephemeral-storage': '1', 'requests.example.com/gpu': '1' },
      }),
    ],
    write: { object: pod() },
  },
  {
    title: 'extended resources and ephemeral storage are limited',
    quotas: [
      quota('q', {
        hard: { 'requests.ephemeral-storage': '3Gi', 'requests.example.com/gpu': '1' },
        used: { 'requests.ephemeral-storage': '1Gi', 'requests.example.com/gpu': '1' },
      }),
    ],
    write: { object: pod({ 'ephemeral-storage': '1Gi', 'example.com/gpu': '2' }) },
    refusal:
      'exceeded quota: q, requested: requests.example.com/gpu=2, used: requests.example.com/gpu=1, limited: requests.example.com/gpu=1',
  },
  {
    title: 'a quota is not enforced before its status is calculated',
    quotas: [quota('q', {}, { hard: { pods: '0' } })],
    write: { object: pod() },
  },
  {
    title: 'a quota whose usage is not calculated yet refuses what it limits',
    quotas: [quota('q', { hard: { pods: '2', 'count/pods': '2', secrets: '1' }, used: { secrets: '0' } })],
    write: { object: pod() },
    refusal: 'status unknown for quota: q, resources: count/pods,pods',
  },
  {
    title: 'the enforced limits are those of the status, not the ones that are being changed',
    quotas: [quota('q', { hard: { pods: '2' }, used: { pods: '1' } }, { hard: { pods: '1' } })],
    write: { object: pod() },
    used: { pods: '2' },
  },
  {
    title: 'an object that the quota does not limit is admitted',
    quotas: [podsQuota('2')],
    write: { object: object(), resource: 'configmaps' },
  },
  {
    title: 'config maps are limited under their plain name and under the name of their count',
    quotas: [
      quota('q', {
        hard: { configmaps: '5', 'count/configmaps': '5' },
        used: { configmaps: '1', 'count/configmaps': '1' },
      }),
    ],
    write: { object: object(), resource: 'configmaps' },
    used: { configmaps: '2', 'count/configmaps': '2' },
  },
  {
    title: 'objects of a built-in group are limited by the served name of the group',
    quotas: [
      quota('q', {
        hard: { 'count/leases.coordination.orch.io': '0' },
        used: { 'count/leases.coordination.orch.io': '0' },
      }),
    ],
    write: { object: object(), group: 'coordination', resource: 'leases' },
    refusal:
      'exceeded quota: q, requested: count/leases.coordination.orch.io=1, used: count/leases.coordination.orch.io=0, limited: count/leases.coordination.orch.io=0',
  },
  {
    title: 'custom objects are limited by the count of their resource and group',
    quotas: [
      quota('q', { hard: { 'count/widgets.example.com': '1' }, used: { 'count/widgets.example.com': '0' } }),
    ],
    write: { object: object(), group: 'example.com', resource: 'widgets' },
    used: { 'count/widgets.example.com': '1' },
  },
  {
    title: 'events are not limited',
    quotas: [quota('q', { hard: { 'count/events': '0' }, used: { 'count/events': '0' } })],
    write: { object: object(), resource: 'events' },
  },
  {
    title: 'reviews, which are not stored, are not limited',
    quotas: [
      quota('q', { hard: { 'count/localsubjectaccessreviews.authorization.orch.io': '1' }, used: {} }),
    ],
    write: { object: object(), group: 'authorization', resource: 'localsubjectaccessreviews' },
  },
  {
    title: 'node ports and load balancers of services are limited',
    quotas: [
      quota('q', {
        hard: { services: '5', 'services.nodeports': '2', 'services.loadbalancers': '0' },
        used: { services: '1', 'services.nodeports': '1', 'services.loadbalancers': '0' },
      }),
    ],
    write: {
      object: object({ type: 'LoadBalancer', ports: [{ port: 1 }, { port: 2 }] }),
      resource: 'services',
    },
    refusal:
      'exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=0,services.nodeports=1, limited: services.loadbalancers=0,services.nodeports=2',
  },
  {
    title: 'the storage of claims is limited by storage class',
    quotas: [
      quota('q', {
        hard: { 'gold.storageclass.storage.orch.io/requests.storage': '5Gi' },
        used: { 'gold.storageclass.storage.orch.io/requests.storage': '4Gi' },
      }),
    ],
    write: {
      object: object({ storageClassName: 'gold', resources: { requests: { storage: '2Gi' } } }),
      resource: 'persistentvolumeclaims',
    },
    refusal:
      'exceeded quota: q, requested: gold.storageclass.storage.orch.io/requests.storage=2Gi, used: gold.storageclass.storage.orch.io/requests.storage=4Gi, limited: gold.storageclass.storage.orch.io/requests.storage=5Gi',
  },
  {
    title: 'a dry run is checked',
    quotas: [podsQuota('2')],
    write: { object: pod(), dryRun: true },
    refusal: 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  },
  { title: 'a dry run takes no quota', quotas: [podsQuota('1')], write: { object: pod(), dryRun: true } },
  {
    title: 'every quota of the namespace must have enough, and the first one by name refuses',
    quotas: [podsQuota('1'), quota('a', { hard: { pods: '1' }, used: { pods: '1' } })],
    write: { object: pod() },
    refusal: 'exceeded quota: a, requested: pods=1, used: pods=1, limited: pods=1',
  },
  {
    title: 'a deletion needs no quota',
    quotas: [podsQuota('3')],
    write: { oldObject: pod() },
  },
  {
    title: 'objects outside namespaces are not limited',
    quotas: [podsQuota('2')],
    write: { object: { metadata: { name: 'n' } }, resource: 'nodes' },
  },
  {
    title: 'a creation through a subresource, such as an eviction, needs no quota',
    quotas: [quota('q', { hard: { 'count/pods': '0' }, used: { 'count/pods': '0' } })],
    write: { object: object(), subresource: 'eviction' },
  },
  ...(
    [
      ['Terminating', { scopes: ['Terminating'] }, pod({}, {}, { activeDeadlineSeconds: 5 }), pod()],
      ['NotTerminating', { scopes: ['NotTerminating'] }, pod(), pod({}, {}, { activeDeadlineSeconds: 5 })],
      ['BestEffort', { scopes: ['BestEffort'] }, pod(), pod({ cpu: '1' })],
      ['NotBestEffort', { scopes: ['NotBestEffort'] }, pod({ memory: '1' }), pod()],
      [
        'PriorityClass In',
        scoped('PriorityClass', 'In', ['high']),
        pod({}, {}, { priorityClassName: 'high' }),
        pod({}, {}, { priorityClassName: 'low' }),
      ],
      [
        'PriorityClass NotIn',
        scoped('PriorityClass', 'NotIn', ['high']),
        pod(),
        pod({}, {}, { priorityClassName: 'high' }),
      ],
      [
        'CrossNamespacePodAffinity',
        { scopes: ['CrossNamespacePodAffinity'] },
        pod(
          {},
          {},
          {
            affinity: {
              podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ namespaces: ['other'] }] },
            },
          },
        ),
        pod(),
      ],
    ] as const
  ).flatMap(([scope, spec, inside, outside]): readonly Row[] => [
    {
      title: `a quota with the scope ${scope} limits pods in it`,
      quotas: [podsQuota('2', spec)],
      write: { object: inside },
      refusal: 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    },
    {
      title: `a quota with the scope ${scope} does not limit pods outside of it`,
      quotas: [podsQuota('2', spec)],
      write: { object: outside },
    },
  ]),
  {
    title: 'a quota with scopes does not limit other objects than pods',
    quotas: [
      quota(
        'q',
        { hard: { 'count/configmaps': '0' }, used: { 'count/configmaps': '0' } },
        { scopes: ['NotTerminating'] },
      ),
    ],
    write: { object: object(), resource: 'configmaps' },
  },
  {
    title: 'a quota with scopes does not require amounts of pods outside of them',
    quotas: [
      quota('q', { hard: { 'limits.cpu': '1' }, used: { 'limits.cpu': '0' } }, { scopes: ['NotBestEffort'] }),
    ],
    write: { object: pod() },
  },
];

const claim = (storage: string): ApiObject => object({ resources: { requests: { storage } } });
const storageQuota = quota('q', {
  hard: { 'requests.storage': '10Gi' },
  used: { 'requests.storage': '8Gi' },
});
const cpuQuota = quota('q', {
  hard: { 'requests.cpu': '4', pods: '1' },
  used: { 'requests.cpu': '3', pods: '1' },
});

const updates: readonly Row[] = [
  {
    title: 'a claim that grows takes the difference',
    quotas: [storageQuota],
    write: { resource: 'persistentvolumeclaims', oldObject: claim('1Gi'), object: claim('3Gi') },
    used: { 'requests.storage': '10Gi' },
  },
  {
    title: 'a claim that grows beyond the quota is refused with the difference as its request',
    quotas: [storageQuota],
    write: { resource: 'persistentvolumeclaims', oldObject: claim('1Gi'), object: claim('4Gi') },
    refusal:
      'exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=8Gi, limited: requests.storage=10Gi',
  },
  {
    title: 'a claim that shrinks leaves its release to the controller of quotas',
    quotas: [storageQuota],
    write: { resource: 'persistentvolumeclaims', oldObject: claim('4Gi'), object: claim('1Gi') },
  },
  {
    title: 'a service that becomes a load balancer takes one, and its node ports',
    quotas: [
      quota('q', {
        hard: { services: '1', 'services.loadbalancers': '1', 'services.nodeports': '2' },
        used: { services: '1', 'services.loadbalancers': '0', 'services.nodeports': '1' },
      }),
    ],
    write: {
      resource: 'services',
      oldObject: object({ type: 'ClusterIP', ports: [{ port: 1 }] }),
      object: object({ type: 'LoadBalancer', ports: [{ port: 1 }] }),
    },
    used: { services: '1', 'services.loadbalancers': '1', 'services.nodeports': '2' },
  },
  {
    title: 'a service with another node port beyond the quota is refused',
    quotas: [quota('q', { hard: { 'services.nodeports': '1' }, used: { 'services.nodeports': '1' } })],
    write: {
      resource: 'services',
      oldObject: object({ type: 'NodePort', ports: [{ port: 1 }] }),
      object: object({ type: 'NodePort', ports: [{ port: 1 }, { port: 2 }] }),
    },
    refusal:
      'exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1',
  },
  {
    title: 'a resized pod takes the difference of its requests, not another pod',
    quotas: [cpuQuota],
    write: { subresource: 'resize', oldObject: pod({ cpu: '1' }), object: pod({ cpu: '2' }) },
    used: { 'requests.cpu': '4', pods: '1' },
  },
  {
    title: 'a pod that is resized beyond the quota is refused',
    quotas: [cpuQuota],
    write: { subresource: 'resize', oldObject: pod({ cpu: '1' }), object: pod({ cpu: '2500m' }) },
    refusal:
      'exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=3, limited: requests.cpu=4',
  },
  {
    title: 'a pod that gets a deadline needs the quota of terminating pods',
    quotas: [podsQuota('2', { scopes: ['Terminating'] })],
    write: { oldObject: pod(), object: pod({}, {}, { activeDeadlineSeconds: 60 }) },
    refusal: 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  },
  {
    title:
      'the update of a pod that uses no more is admitted although the pod lacks amounts that are required now',
    quotas: [quota('q', { hard: { 'limits.cpu': '1' }, used: { 'limits.cpu': '0' } })],
    write: {
      oldObject: pod(),
      object: { ...pod(), metadata: { name: 'o', namespace: 'ns', labels: { a: 'b' } } },
    },
  },
  {
    title: 'the status of a pod is written without quota',
    quotas: [podsQuota('9')],
    write: { subresource: 'status', oldObject: pod(), object: pod() },
  },
  {
    title: 'updates of objects that are only counted need no quota',
    quotas: [quota('q', { hard: { configmaps: '0' }, used: { configmaps: '1' } })],
    write: { resource: 'configmaps', oldObject: object(), object: object() },
  },
];

for (const [what, rows] of [
  ['creations', creations],
  ['updates', updates],
] as const)
  describe(`admission plugin ResourceQuota, ${what}`, () => {
    for (const { title, quotas, write, refusal, used } of rows) {
      it(title, async () => {
        const { plugin, store } = pluginWith(quotas);
        assert.equal(await reserved(plugin, testWrite(write)), refusal);
        const before = quotas.find(({ metadata }) => metadata.name === 'q')?.['status'] as Status | undefined;
        assert.deepEqual(store.used('ns/q'), used === undefined ? before : { ...before, used });
      });
    }

    it(`${what} in a namespace without quotas are not handled`, () => {
      const { plugin } = pluginWith([podsQuota('0')]);
      for (const { write } of rows)
        assert.equal(handlesWrite(plugin, testWrite({ ...write, namespace: 'other' })), false);
    });

    it(`${what} that no quota of the namespace limits are decided synchronously`, () => {
      const { plugin } = pluginWith([quota('q', { hard: { secrets: '1' }, used: { secrets: '0' } })]);
      for (const { write } of rows) assert.equal(reserved(plugin, testWrite(write)), undefined);
    });
  });

describe('admission plugin ResourceQuota, pods that have ended', () => {
  it('a pod that has ended uses only what counts objects', async () => {
    const status = { hard: { pods: '1', 'count/pods': '2' }, used: { pods: '1', 'count/pods': '1' } };
    const { plugin, store } = pluginWith([quota('q', status)]);
    const ended = { ...pod(), status: { phase: 'Failed' } };
    assert.equal(await reserved(plugin, testWrite({ object: ended })), undefined);
    assert.deepEqual(store.used('ns/q'), { ...status, used: { pods: '1', 'count/pods': '2' } });
  });
});

describe('admission plugin ResourceQuota, limited resources', () => {
  const configured = (text: string) => () => ConfigValue.parse(text, '/etc/quota.yaml');
  const head =
    'apiVersion: apiserver.config.orch.io/v1\nkind: ResourceQuotaConfiguration\nlimitedResources:\n';
  const claims = `${head}- {resource: persistentvolumeclaims, matchContains: [gold.storageclass.storage.orch.io/requests.storage]}\n`;
  const classes = `${head}- {resource: pods, matchScopes: [{scopeName: PriorityClass, operator: In, values: [high, higher]}]}\n`;
  const gold = object({ storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } });
  const goldBound = 'gold.storageclass.storage.orch.io/requests.storage';
  const high = pod({}, {}, { priorityClassName: 'high' });
  const resource = 'persistentvolumeclaims';

  const rows: readonly (readonly [
    string,
    string,
    readonly ApiObject[],
    Partial<AdmissionAttributes>,
    string?,
  ])[] = [
    [
      'a limited resource that no quota covers is refused',
      claims,
      [],
      { resource, object: gold },
      `insufficient quota to consume: ${goldBound}`,
    ],
    [
      'a limited resource that a quota covers is admitted',
      claims,
      [quota('q', { hard: { [goldBound]: '2Gi' }, used: { [goldBound]: '0' } })],
      { resource, object: gold },
    ],
    [
      'an object that does not use the limited resource is admitted',
      claims,
      [],
      { resource, object: object({ storageClassName: 'tin', resources: { requests: { storage: '1Gi' } } }) },
    ],
    ['an object of another resource is admitted', claims, [], { object: high }],
    [
      'an update that does not use more is admitted without a quota',
      claims,
      [],
      { resource, oldObject: gold, object: gold },
    ],
    [
      'a pod in a limited scope that no quota covers is refused',
      classes,
      [],
      { object: high },
      'insufficient quota to match these scopes: [{PriorityClass In [high higher]}]',
    ],
    [
      'a pod in a limited scope that a quota covers is admitted',
      classes,
      [podsQuota('0', scoped('PriorityClass', 'In', ['high']))],
      { object: high },
    ],
    [
      'a quota for another priority class does not cover a pod',
      classes,
      [podsQuota('0', scoped('PriorityClass', 'In', ['low']))],
      { object: high },
      'insufficient quota to match these scopes: [{PriorityClass In [high higher]}]',
    ],
    ['a pod outside the limited scope is admitted', classes, [], { object: pod() }],
    [
      'the older kind and version of the configuration are read',
      classes.replace(
        head,
        'apiVersion: resourcequota.admission.orch.io/v1beta1\nkind: Configuration\nlimitedResources:\n',
      ),
      [],
      { object: high },
      'insufficient quota to match these scopes: [{PriorityClass In [high higher]}]',
    ],
  ];
  for (const [title, text, quotas, write, refusal] of rows) {
    it(title, async () => {
      const { plugin } = pluginWith(quotas, configured(text));
      assert.equal(await reserved(plugin, testWrite(write)), refusal);
    });
  }

  for (const [title, text, problem] of [
    [
      'without a resource',
      `${head}- {apiGroup: apps}\n`,
      /^line 4: limitedResources\[0\]\.resource: is required$/,
    ],
    ['with an unknown field', `${head}- {resource: pods, match: []}\n`, /unknown field "match"/],
    ['of another kind', 'apiVersion: v1\nkind: Policy\n', /kind: must be one of ResourceQuotaConfiguration/],
    [
      'with an unknown operator',
      `${head}- {resource: pods, matchScopes: [{scopeName: PriorityClass, operator: Is}]}\n`,
      /matchScopes\[0\]\.operator: must be one of In, NotIn, Exists, DoesNotExist, not "Is"/,
    ],
  ] as const) {
    it(`a configuration ${title} is an error`, () => {
      assert.throws(
        () => pluginWith([], configured(text)),
        (error) => error instanceof ConfigFileError && problem.test(error.message),
      );
    });
  }
});
