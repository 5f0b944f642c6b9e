import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import {
  exceeding,
  growthOf,
  quotaEvaluator,
  readAmounts,
  remainderOf,
  scopeConditions,
  sumOf,
  writeAmounts,
} from './index.ts';

const names = namesFor('orch');
const NOW = Date.UTC(2024, 0, 1);

const pods = quotaEvaluator('', 'pods', names);
const pod = (cpu: string, spec: object = {}): ApiObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec },
});
const ending = { activeDeadlineSeconds: 5 };

function growth(old: ApiObject | undefined, next: ApiObject, scopes: readonly string[] = []): object {
  const write = { old: old === undefined ? undefined : pods.measure(old), next: pods.measure(next) };
  const conditions = scopeConditions({ metadata: {}, spec: { scopes } });
  return writeAmounts(growthOf(write, { bounds: new Set(['pods', 'requests.cpu']), conditions }, NOW));
}

describe('growth of usage by a write', () => {
  for (const [title, grown, expected] of [
    [
      'a new object uses all that it is measured with',
      growth(undefined, pod('1')),
      { pods: '1', 'requests.cpu': '1' },
    ],
    ['an update uses the difference', growth(pod('1'), pod('1500m')), { 'requests.cpu': '500m' }],
    ['an update that uses less does not grow', growth(pod('2'), pod('1')), {}],
    ['an update that uses the same does not grow', growth(pod('1'), pod('1000m')), {}],
    [
      'an update that moves an object into the scope of a quota uses all of it',
      growth(pod('1'), pod('1', ending), ['Terminating']),
      { pods: '1', 'requests.cpu': '1' },
    ],
    ['an object outside the scope of a quota uses nothing', growth(undefined, pod('1'), ['Terminating']), {}],
    [
      'a pod that has ended uses nothing while others run',
      growth(undefined, { ...pod('1'), status: { phase: 'Failed' } }),
      {},
    ],
  ] as const) {
    it(title, () => assert.deepEqual(grown, expected));
  }

  it('growth without a list of bounds has every amount', () => {
    const write = { old: undefined, next: pods.measure(pod('1')) };
    assert.deepEqual(writeAmounts(growthOf(write, { conditions: [] }, NOW)), {
      'count/pods': '1',
      cpu: '1',
      pods: '1',
      'requests.cpu': '1',
    });
  });

  it('sums have the names of both amounts, and remainders are never negative', () => {
    const [a, b] = [readAmounts({ cpu: '1', pods: '2' }), readAmounts({ cpu: '1500m', memory: '1Gi' })];
    assert.deepEqual(writeAmounts(sumOf(a, b)), { cpu: '2500m', memory: '1Gi', pods: '2' });
    assert.deepEqual(writeAmounts(remainderOf(b, a)), { cpu: '500m', memory: '1Gi' });
    assert.deepEqual(writeAmounts(remainderOf(a, b)), { cpu: '0', pods: '2' });
  });

  it('amounts exceed a bound when they are greater, and amounts without a bound never do', () => {
    const bounds = readAmounts({ cpu: '1', memory: '1Gi', pods: '2' });
    assert.deepEqual(exceeding(readAmounts({ pods: '3', cpu: '1001m', memory: '1024Mi', x: '9' }), bounds), [
      'cpu',
      'pods',
    ]);
  });
});

describe('amounts that containers of a pod must specify', () => {
  const containers = [
    { name: 'b', resources: { requests: { cpu: '1' }, limits: { memory: '1' } } },
    { name: 'a', resources: {} },
  ];
  const initContainers = [{ name: 'i', resources: { requests: { memory: '1' } } }];
  const object = { metadata: {}, spec: { containers, initContainers } };
  const missing = (...bounds: readonly string[]) => pods.missing?.(object, bounds);

  it('amounts under either name are required of every container, init containers included', () => {
    assert.deepEqual(missing('requests.cpu', 'memory', 'limits.memory'), [
      'limits.memory for: a,i',
      'memory for: a,b',
      'requests.cpu for: a,i',
    ]);
  });

  it('other amounts are not required', () => {
    const others = [
      'pods',
      'limits.ephemeral-storage',
      'hugepages-2Mi',
      'requests.example.com/gpu',
      'constructor',
    ];
    assert.deepEqual(missing(...others), []);
  });
});
