import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import {
  countBound,
  isInScope,
  isUncounted,
  quotaEvaluator,
  readAmounts,
  sameAmounts,
  sameMeasure,
  scopeConditions,
  usageOf,
  writeAmounts,
} from './index.ts';

const names = namesFor('kubernetes');
const NOW = Date.UTC(2024, 0, 1);

const quota = (spec: object): ApiObject => ({ metadata: { name: 'q', namespace: 'n' }, spec });
const container = (requests?: object, limits?: object): object => ({
  name: 'c',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const pod = (spec: object, rest: object = {}): ApiObject => ({
  metadata: { name: 'p', namespace: 'n' },
  spec,
  ...rest,
});

/** Usage of bounds by objects, in the format of `status.used`. */
function used(
  resource: string,
  objects: readonly ApiObject[],
  spec: { hard: readonly string[]; scopes?: readonly string[]; scopeSelector?: object },
  group = '',
): Record<string, string> {
  const evaluator = quotaEvaluator(group, resource, names);
  const bounds = spec.hard.filter((name) => evaluator.counts(name));
  const conditions = scopeConditions(quota({ ...spec, hard: {} }));
  return writeAmounts(
    usageOf(
      objects.map((object) => evaluator.measure(object)),
      { bounds, conditions },
      NOW,
    ).used,
  );
}

const compute = [
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
  'pods',
  'count/pods',
];

describe('usage of quotas by pods', () => {
  for (const [title, objects, expected] of [
    [
      'nothing takes nothing, which is said of every bound',
      [],
      Object.fromEntries(compute.map((name) => [name, '0'])),
    ],
    [
      'containers that run together take their sum',
      [
        pod({
          containers: [container({ cpu: '100m', memory: '64Mi' }, { cpu: '1' }), container({ cpu: '250m' })],
        }),
      ],
      {
        cpu: '350m',
        memory: '64Mi',
        'requests.cpu': '350m',
        'requests.memory': '64Mi',
        'limits.cpu': '1',
        'limits.memory': '0',
        pods: '1',
        'count/pods': '1',
      },
    ],
    [
      'an initial container counts where it asks for more than the others together',
      [
        pod({
          initContainers: [
            container({ cpu: '2', memory: '1Mi' }),
            container({ cpu: '3' }, { memory: '1Gi' }),
          ],
          containers: [container({ cpu: '1', memory: '10Mi' }), container({ cpu: '1', memory: '10Mi' })],
        }),
      ],
      {
        cpu: '3',
        memory: '20Mi',
        'requests.cpu': '3',
        'requests.memory': '20Mi',
        'limits.cpu': '0',
        'limits.memory': '1Gi',
        pods: '1',
        'count/pods': '1',
      },
    ],
    [
      'the overhead of a pod comes on top of both',
      [pod({ overhead: { cpu: '100m' }, containers: [container({ cpu: '1' }, { cpu: '2' })] })],
      {
        cpu: '1100m',
        memory: '0',
        'requests.cpu': '1100m',
        'requests.memory': '0',
        'limits.cpu': '2100m',
        'limits.memory': '0',
        pods: '1',
        'count/pods': '1',
      },
    ],
    [
      'pods that have ended are only objects',
      [
        pod({ containers: [container({ cpu: '1' })] }, { status: { phase: 'Succeeded' } }),
        pod({ containers: [container({ cpu: '1' })] }, { status: { phase: 'Failed' } }),
        pod({ containers: [container({ cpu: '1' })] }, { status: { phase: 'Running' } }),
      ],
      {
        cpu: '1',
        memory: '0',
        'requests.cpu': '1',
        'requests.memory': '0',
        'limits.cpu': '0',
        'limits.memory': '0',
        pods: '1',
        'count/pods': '3',
      },
    ],
  ] as const) {
    it(title, () => assert.deepEqual(used('pods', objects, { hard: compute }), expected));
  }

  for (const [title, requests, hard, expected] of [
    ['huge pages', { 'hugepages-2Mi': '4Mi' }, ['hugepages-2Mi', 'requests.hugepages-2Mi'], ['4Mi', '4Mi']],
    [
      'extended resources, as requests alone',
      { 'example.com/gpu': '2' },
      ['requests.example.com/gpu'],
      ['2'],
    ],
    [
      'ephemeral storage',
      { 'ephemeral-storage': '1Gi' },
      ['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage'],
      ['1Gi', '1Gi', '0'],
    ],
  ] as const) {
    it(`the usage of pods counts ${title}`, () => {
      const sums = used('pods', [pod({ containers: [container(requests)] })], { hard });
      assert.deepEqual(sums, Object.fromEntries(hard.map((name, i) => [name, expected[i]])));
    });
  }

  it('bounds of other resources are not counted for pods', () => {
    const evaluator = quotaEvaluator('', 'pods', names);
    for (const bound of [
      'example.com/gpu',
      'requests.storage',
      'requests.kubernetes.io/thing',
      'count/pods.apps',
      'services',
      'limits.example.com/gpu',
      'gold.storageclass.storage.k8s.io/requests.storage',
    ]) {
      assert.equal(evaluator.counts(bound), false, bound);
    }
  });

  it('a pod is not counted after twice its grace period, and the result has that time', () => {
    const late: ApiObject = {
      metadata: { name: 'p', deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
      spec: { containers: [container({ cpu: '1' })] },
    };
    const evaluator = quotaEvaluator('', 'pods', names);
    const at = (ms: number) =>
      usageOf([evaluator.measure(late)], { bounds: ['cpu', 'pods', 'count/pods'], conditions: [] }, ms);
    assert.deepEqual(writeAmounts(at(NOW + 29_999).used), { cpu: '1', pods: '1', 'count/pods': '1' });
    assert.equal(at(NOW + 29_999).validUntilMs, NOW + 30_000);
    assert.deepEqual(writeAmounts(at(NOW + 30_000).used), { cpu: '0', pods: '0', 'count/pods': '1' });
    assert.equal(at(NOW + 30_000).validUntilMs, undefined);
  });

  it('the usage of thousands of pods is exact', () => {
    const many = Array.from({ length: 10_000 }, () =>
      pod({ containers: [container({ cpu: '1m', memory: '3Ki' })] }),
    );
    assert.deepEqual(used('pods', many, { hard: ['cpu', 'memory', 'pods'] }), {
      cpu: '10',
      memory: '30000Ki',
      pods: '10k',
    });
  });
});

describe('scopes of quotas', () => {
  const samples = {
    plain: pod({ containers: [container({ cpu: '1' })] }),
    best: pod({ containers: [container({ 'ephemeral-storage': '1' }), container()] }),
    zero: pod({ containers: [container({ cpu: '0' })] }),
    ending: pod({ activeDeadlineSeconds: 0, containers: [container({ cpu: '1' })] }),
    high: pod({ priorityClassName: 'high', containers: [container({ cpu: '1' })] }),
    crossing: pod({
      containers: [container({ cpu: '1' })],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { namespaceSelector: {} } }],
        },
      },
    }),
    naming: pod({
      containers: [container({ cpu: '1' })],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ namespaces: ['other'] }] },
      },
    }),
    staying: pod({
      containers: [container({ cpu: '1' })],
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x' }] } },
    }),
  };
  const all = Object.keys(samples);
  const except = (...out: string[]): string[] => all.filter((name) => !out.includes(name));

  const classes = (operator: string, values?: string[]): object => ({
    scopeSelector: {
      matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values && { values }) }],
    },
  });

  for (const [title, spec, expected] of [
    ['none: everything', {}, all],
    ['Terminating', { scopes: ['Terminating'] }, ['ending']],
    ['NotTerminating', { scopes: ['NotTerminating'] }, except('ending')],
    ['BestEffort', { scopes: ['BestEffort'] }, ['best', 'zero']],
    ['NotBestEffort', { scopes: ['NotBestEffort'] }, except('best', 'zero')],
    ['PriorityClass', { scopes: ['PriorityClass'] }, ['high']],
    ['PriorityClass Exists', classes('Exists'), ['high']],
    ['PriorityClass DoesNotExist', classes('DoesNotExist'), except('high')],
    ['PriorityClass In', classes('In', ['high', 'higher']), ['high']],
    ['PriorityClass In others', classes('In', ['low']), []],
    ['PriorityClass NotIn takes pods without one', classes('NotIn', ['high']), except('high')],
    ['CrossNamespacePodAffinity', { scopes: ['CrossNamespacePodAffinity'] }, ['crossing', 'naming']],
    ['both forms: all must hold', { scopes: ['NotTerminating'], ...classes('Exists') }, ['high']],
    ['two that exclude each other in effect', { scopes: ['BestEffort', 'Terminating'] }, []],
    ['one that is not known: nothing', { scopes: ['Other'] }, []],
  ] as const) {
    it(title, () => {
      const conditions = scopeConditions(quota(spec));
      const evaluator = quotaEvaluator('', 'pods', names);
      const counted = Object.entries(samples)
        .filter(([, sample]) => isInScope(evaluator.measure(sample).scopes, conditions))
        .map(([name]) => name);
      assert.deepEqual(counted, expected);
    });
  }

  for (const [operator, values, expected] of [
    ['Exists', [], '3'],
    ['DoesNotExist', [], '1'],
    ['In', ['gold'], '2'],
    ['NotIn', ['gold'], '3'],
  ] as const)
    it(`a quota counts the claims whose attributes class ${operator} ${values}`, () => {
      const claims = [
        {},
        { spec: { volumeAttributesClassName: 'gold' } },
        { status: { currentVolumeAttributesClassName: 'silver' } },
        {
          spec: { volumeAttributesClassName: 'silver' },
          status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } },
        },
      ].map((rest) => ({ metadata: { name: 'c' }, ...rest }));
      const matchExpressions = [{ scopeName: 'VolumeAttributesClass', operator, values }];
      const hard = ['persistentvolumeclaims'];
      assert.deepEqual(
        used('persistentvolumeclaims', claims, { hard, scopeSelector: { matchExpressions } }),
        {
          persistentvolumeclaims: expected,
        },
      );
    });

  it('scopes of pods exclude other objects', () => {
    const objects = [{ metadata: { name: 'c' } }];
    assert.deepEqual(
      used('configmaps', objects, { hard: ['count/configmaps'], scopes: ['NotTerminating'] }),
      {
        'count/configmaps': '0',
      },
    );
  });
});

describe('usage of quotas by other objects', () => {
  const hard = ['services', 'services.nodeports', 'services.loadbalancers', 'count/services'];
  const ports = [{ port: 1 }, { port: 2, nodePort: 30_002 }];
  for (const [title, spec, nodePorts, balancers] of [
    ['inside the cluster', { ports }, '0', '0'],
    ['by node ports', { type: 'NodePort', ports }, '2', '0'],
    ['by a load balancer', { type: 'LoadBalancer', ports }, '2', '1'],
    [
      'by a load balancer that allocates no node ports',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports },
      '1',
      '1',
    ],
    ['by another name', { type: 'ExternalName' }, '0', '0'],
  ] as const) {
    it(`a service reached ${title}`, () => {
      assert.deepEqual(used('services', [{ metadata: {}, spec }], { hard }), {
        services: '1',
        'count/services': '1',
        'services.nodeports': nodePorts,
        'services.loadbalancers': balancers,
      });
    });
  }

  it('the usage of claims is counted, also by storage class in both fields that name one', () => {
    const claim = (storage: string, spec: object, metadata: object = {}): ApiObject => ({
      metadata,
      spec: { resources: { requests: { storage } }, ...spec },
    });
    const beta = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } };
    const objects = [
      claim('1Gi', { storageClassName: 'gold' }),
      claim('2Gi', { storageClassName: 'silver' }, beta),
      claim('4Gi', { storageClassName: '' }),
      { ...claim('1Gi', { storageClassName: 'silver' }), status: { allocatedResources: { storage: '8Gi' } } },
      { metadata: {}, spec: {} },
    ];
    const bounds = [
      'persistentvolumeclaims',
      'count/persistentvolumeclaims',
      'requests.storage',
      'gold.storageclass.storage.k8s.io/requests.storage',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims',
      'silver.storageclass.storage.k8s.io/requests.storage',
    ];
    assert.deepEqual(used('persistentvolumeclaims', objects, { hard: bounds }), {
      persistentvolumeclaims: '5',
      'count/persistentvolumeclaims': '5',
      'requests.storage': '15Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '3Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '2',
      'silver.storageclass.storage.k8s.io/requests.storage': '8Gi',
    });
  });

  it('bounds of storage classes have the group of the naming', () => {
    const evaluator = quotaEvaluator('', 'persistentvolumeclaims', namesFor('orch'));
    assert.equal(evaluator.counts('gold.storageclass.storage.orch.io/requests.storage'), true);
    assert.equal(evaluator.counts('gold.storageclass.storage.k8s.io/requests.storage'), false);
    assert.equal(evaluator.counts('.storageclass.storage.orch.io/requests.storage'), false);
  });

  for (const [group, resource, counts] of [
    ['', 'configmaps', ['count/configmaps', 'configmaps']],
    ['', 'secrets', ['count/secrets', 'secrets']],
    ['', 'replicationcontrollers', ['count/replicationcontrollers', 'replicationcontrollers']],
    ['', 'resourcequotas', ['count/resourcequotas', 'resourcequotas']],
    ['', 'serviceaccounts', ['count/serviceaccounts']],
    ['apps', 'deployments', ['count/deployments.apps']],
    ['example.com', 'widgets', ['count/widgets.example.com']],
    ['example.com', 'pods', ['count/pods.example.com']],
  ] as const) {
    it(`${countBound(group, resource)} is a number of objects`, () => {
      const bounds = [...counts, resource, 'count/other', `count/${resource}.other.example`];
      const expected = Object.fromEntries(counts.map((name) => [name, '2']));
      const objects = [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }];
      assert.deepEqual(used(resource, objects, { hard: [...new Set(bounds)] }, group), expected);
    });
  }

  it('events are not counted', () => {
    assert.deepEqual(
      [isUncounted('', 'events'), isUncounted('', 'pods'), isUncounted('apps', 'events')],
      [true, false, false],
    );
  });
});

describe('amounts of quotas', () => {
  it('amounts are equal by value, not by text', () => {
    assert.ok(
      sameAmounts(readAmounts({ cpu: '1000m', memory: '1Gi' }), readAmounts({ cpu: 1, memory: '1024Mi' })),
    );
    assert.ok(!sameAmounts(readAmounts({ cpu: '1' }), readAmounts({ cpu: '2' })));
    assert.ok(!sameAmounts(readAmounts({ cpu: '1' }), readAmounts({ memory: '1' })));
    assert.ok(!sameAmounts(readAmounts({ cpu: '1' }), readAmounts({ cpu: '1', memory: '0' })));
  });

  it('invalid amounts are omitted, and any name of an amount is data', () => {
    const list = JSON.parse(
      '{"cpu":"much","memory":null,"__proto__":"1","constructor":"2","pods":{}}',
    ) as object;
    assert.deepEqual([...readAmounts(list).keys()], ['__proto__', 'constructor']);
    assert.deepEqual([...readAmounts(undefined), ...readAmounts('x'), ...readAmounts(['1'])], []);
  });
});

describe('measured usage of objects', () => {
  const evaluator = quotaEvaluator('', 'pods', names);
  const base = { containers: [container({ cpu: '1' })] };
  const measured = (spec: object, rest: object = {}) => evaluator.measure(pod({ ...base, ...spec }, rest));
  for (const [title, other, same] of [
    ['the same pod again', measured({}), true],
    ['another phase before its end', measured({}, { status: { phase: 'Running' } }), true],
    ['a node', measured({ nodeName: 'one' }), true],
    ['its end', measured({}, { status: { phase: 'Failed' } }), false],
    ['a deadline', measured({ activeDeadlineSeconds: 5 }), false],
    ['a priority class', measured({ priorityClassName: 'high' }), false],
    ['other requests', measured({ containers: [container({ cpu: '2' })] }), false],
    [
      'its deletion',
      evaluator.measure({
        ...pod(base),
        metadata: { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 1 },
      }),
      false,
    ],
  ] as const) {
    it(`the usage ${same ? 'does not change' : 'changes'} with ${title}`, () => {
      assert.equal(sameMeasure(measured({}), other), same);
    });
  }
});
