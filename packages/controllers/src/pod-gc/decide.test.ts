import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { decidePods, nodeState, type PodRules, type PodState } from './decide.ts';

interface Sample {
  readonly node?: string;
  readonly phase?: string;
  readonly born?: number;
  /** The grace period with which the pod is being deleted. */
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
  decidePods(given, by).remove.map(({ pod: { metadata }, reason }) => `${metadata.name} ${reason}`);
const orphaned = (given: PodState): Record<string, readonly (string | undefined)[]> =>
  Object.fromEntries(
    [...decidePods(given, rules).orphans].map(([node, pods]) => [
      node,
      pods.map(({ metadata }) => metadata.name),
    ]),
  );

const done = { phase: 'Succeeded', node: 'one' };

describe('decisions about pods', () => {
  for (const [title, pods, expected, by] of [
    [
      'terminated pods up to the threshold are kept',
      [pod('a', done), pod('b', done), pod('c'), pod('d')],
      [],
    ],
    [
      'the oldest terminated pods beyond the threshold are removed',
      [
        pod('a', { ...done, born: 3 }),
        pod('b', { ...done, born: 1 }),
        pod('c', { ...done, phase: 'Failed', born: 2 }),
        pod('d', { ...done, born: 4 }),
      ],
      ['b terminated', 'c terminated'],
    ],
    [
      'terminated pods of equal age are removed in order of their names',
      [pod('c', done), pod('a', done), pod('b', done)],
      ['a terminated'],
    ],
    [
      'no terminated pod is removed without a threshold',
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
      'pods that are being deleted without a node are removed',
      [pod('a', { grace: 30 }), pod('b', { node: 'one', grace: 30 }), pod('c')],
      ['a unscheduled'],
    ],
    ['a pod that waits for its finalizers only is not removed again', [pod('a', { grace: 0 })], []],
    [
      'pods that are being deleted on a node out of service are removed',
      [
        pod('a', { node: 'dead', grace: 30 }),
        pod('b', { node: 'dead' }),
        pod('c', { node: 'one', grace: 30 }),
      ],
      ['a outOfService'],
    ],
    [
      'terminated pods that wait for finalizers count towards the threshold and are not removed again',
      [pod('a', { ...done, grace: 0 }), pod('b', { ...done, born: 1 }), pod('c', { ...done, born: 2 })],
      [],
    ],
    [
      'a pod is removed for one reason only',
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

  it('pods are orphaned when their node was missing for the whole quarantine', () => {
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

  it('the quarantine starts again after the node was present', () => {
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

  it('a missing node without pods is forgotten', () => {
    const after = decidePods(state([], { missingSince: new Map([['gone', 1]]) }), rules);
    assert.equal(after.missingSince.size, 0);
  });

  it('no node counts as missing when the nodes were not listed', () => {
    const pods = [pod('a', { node: 'gone' })];
    const blind = decidePods(
      { pods, missingSince: new Map([['gone', 0]]), nowMs: 100_000, nodes: undefined },
      rules,
    );
    assert.deepEqual([blind.orphans.size, blind.missingSince.size], [0, 0]);
  });

  it('orphaned pods that wait for their finalizers only are not removed', () => {
    const pods = [pod('a', { node: 'gone', grace: 0 })];
    assert.deepEqual(orphaned(state(pods, { missingSince: new Map([['gone', 0]]) })), {});
  });
});

describe('states of nodes', () => {
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
    ['not ready and without the taint', node('Unknown'), 'inService'],
    ['ready and with the taint', node('True', taint), 'inService'],
    ['not ready and with another taint', node('False', 'example.com/other'), 'inService'],
    ['not ready and with the taint', node('Unknown', taint), 'outOfService'],
    ['without conditions and with the taint', node(undefined, taint), 'outOfService'],
  ] as const) {
    it(`a node that is ${title} has the state ${expected}`, () =>
      assert.equal(nodeState(given, taint), expected));
  }
});
