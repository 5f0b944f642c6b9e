import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { decidePods, nodeState, type PodRules, type PodState } from './decide.ts';

interface Sample {
  readonly node?: string;
  readonly phase?: string;
  readonly born?: number;
  /** Being deleted, with this grace. */
  readonly grace?: number;
}

const pod = (name: string, { node, phase = 'Running', born = 0, grace }: Sample = {}): ApiObject => ({
  metadata: {
    name,
    namespace: 'n',
    creationTimestamp: new Date(Date.UTC(2024, 0, 1) + born * 1000).toISOString(),
    ...(grace !== undefined && {
      deletionTimestamp: '2024-01-01T00:00:00Z',
      deletionGracePeriodSeconds: grace,
    }),
  },
  spec: { ...(node && { nodeName: node }) },
  status: { phase },
});

const rules: PodRules = { terminatedThreshold: 2, quarantineMs: 40_000 };
const state = (pods: readonly ApiObject[], rest: Partial<PodState> = {}): PodState => ({
  pods,
  nodes: new Map([
    ['one', 'inService'],
    ['dead', 'outOfService'],
  ]),
  missingSince: new Map(),
  nowMs: 100_000,
  ...rest,
});
const removed = (given: PodState, by: PodRules = rules): readonly string[] =>
  decidePods(given, by).remove.map(({ pod: { metadata }, why }) => `${metadata.name} ${why}`);
const orphaned = (given: PodState): Record<string, readonly (string | undefined)[]> =>
  Object.fromEntries(
    [...decidePods(given, rules).orphans].map(([node, pods]) => [
      node,
      pods.map(({ metadata }) => metadata.name),
    ]),
  );

const done = { phase: 'Succeeded', node: 'one' };

describe('decidePods', () => {
  for (const [title, pods, expected, by] of [
    ['leaves as many terminated pods as may stay', [pod('a', done), pod('b', done), pod('c'), pod('d')], []],
    [
      'removes the oldest of the terminated pods beyond that',
      [
        pod('a', { ...done, born: 3 }),
        pod('b', { ...done, born: 1 }),
        pod('c', { ...done, phase: 'Failed', born: 2 }),
        pod('d', { ...done, born: 4 }),
      ],
      ['b terminated', 'c terminated'],
    ],
    ['of equal age, by name', [pod('c', done), pod('a', done), pod('b', done)], ['a terminated']],
    [
      'removes none where there is no threshold',
      [pod('a', done), pod('b', done), pod('c', done)],
      [],
      { ...rules, terminatedThreshold: 0 },
    ],
    [
      'running, pending and unknown pods are not terminated',
      [pod('a'), pod('b', { phase: 'Pending' }), pod('c', { phase: 'Unknown' }), pod('d', { phase: '' })],
      [],
    ],
    [
      'ends pods that are being deleted and never had a node',
      [pod('a', { grace: 30 }), pod('b', { node: 'one', grace: 30 }), pod('c')],
      ['a unscheduled'],
    ],
    ['asks nothing more of a pod that only its finalizers hold', [pod('a', { grace: 0 })], []],
    [
      'ends pods that are being deleted on a node that is out of service',
      [
        pod('a', { node: 'dead', grace: 30 }),
        pod('b', { node: 'dead' }),
        pod('c', { node: 'one', grace: 30 }),
      ],
      ['a outOfService'],
    ],
    [
      'counts what is going, but does not ask for it again',
      [pod('a', { ...done, grace: 0 }), pod('b', { ...done, born: 1 }), pod('c', { ...done, born: 2 })],
      [],
    ],
    [
      'names a pod once',
      [
        pod('a', { phase: 'Failed', grace: 5 }),
        pod('b', { ...done, born: 1 }),
        pod('c', { ...done, born: 1 }),
      ],
      ['a terminated'],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(removed(state(pods), by), expected));
  }

  it('calls pods orphans when their node was missing for the whole quarantine', () => {
    const pods = [
      pod('a', { node: 'gone' }),
      pod('b', { node: 'one' }),
      pod('c', { node: 'gone' }),
      pod('d', { node: 'other' }),
      pod('e'),
    ];
    const first = decidePods(state(pods), rules);
    assert.deepEqual(
      [[...first.orphans], [...first.missingSince]],
      [
        [],
        [
          ['gone', 100_000],
          ['other', 100_000],
        ],
      ],
    );
    const { missingSince } = first;
    assert.deepEqual(orphaned(state(pods, { missingSince, nowMs: 139_999 })), {});
    assert.deepEqual(orphaned(state(pods, { missingSince, nowMs: 140_000 })), {
      gone: ['a', 'c'],
      other: ['d'],
    });
  });

  it('begins anew when the node was seen in between', () => {
    const pods = [pod('a', { node: 'gone' })];
    const { missingSince } = decidePods(state(pods), rules);
    const seen = decidePods(
      state(pods, { missingSince, nowMs: 120_000, nodes: new Map([['gone', 'inService']]) }),
      rules,
    );
    assert.equal(seen.missingSince.size, 0);
    const again = decidePods(state(pods, { missingSince: seen.missingSince, nowMs: 141_000 }), rules);
    assert.equal(again.orphans.size, 0);
  });

  it('remembers no node that no pod names any more', () => {
    const after = decidePods(state([], { missingSince: new Map([['gone', 1]]) }), rules);
    assert.equal(after.missingSince.size, 0);
  });

  it('takes no node for missing when nobody looked', () => {
    const pods = [pod('a', { node: 'gone' })];
    const blind = decidePods(
      { pods, missingSince: new Map([['gone', 0]]), nowMs: 100_000, nodes: undefined },
      rules,
    );
    assert.deepEqual([blind.orphans.size, blind.missingSince.size], [0, 0]);
  });

  it('leaves orphans alone that only their finalizers hold', () => {
    const pods = [pod('a', { node: 'gone', grace: 0 })];
    assert.deepEqual(orphaned(state(pods, { missingSince: new Map([['gone', 0]]) })), {});
  });
});

describe('nodeState', () => {
  const taint = 'example.com/out-of-service';
  const node = (status: string | undefined, key?: string): ApiObject => ({
    metadata: { name: 'n' },
    spec: key === undefined ? {} : { taints: [{ key, effect: 'NoExecute' }] },
    ...(status && {
      status: {
        conditions: [
          { type: 'MemoryPressure', status: 'True' },
          { type: 'Ready', status },
        ],
      },
    }),
  });
  for (const [title, given, expected] of [
    ['ready', node('True'), 'inService'],
    ['not ready, of which nobody said so', node('Unknown'), 'inService'],
    ['ready, whatever somebody said', node('True', taint), 'inService'],
    ['with another taint', node('False', 'example.com/other'), 'inService'],
    ['not ready and said to be out of service', node('Unknown', taint), 'outOfService'],
    ['that never said anything and is said to be out of service', node(undefined, taint), 'outOfService'],
  ] as const) {
    it(`a node ${title}: ${expected}`, () => assert.equal(nodeState(given, taint), expected));
  }
});
