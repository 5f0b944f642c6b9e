import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { metaOf, NOW, nowText, type PodFacts, podWith, template } from '../testing/workloads.ts';
import { decideReplicas, type ReplicaSetState, statusOf } from './decide.ts';

type ReplicaSet = Stored<kinds.apps.ReplicaSet>;

const set = (replicas: number, more: Partial<ReplicaSet> = {}, minReadySeconds = 0): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: metaOf('web', { generation: 3 }),
  spec: { replicas, minReadySeconds, selector: { matchLabels: { app: 'web' } }, template },
  ...more,
});

const state = (
  of: ReplicaSet,
  pods: readonly PodFacts[],
  ending: readonly string[] = [],
): ReplicaSetState => ({
  set: of,
  pods: pods.map((facts, i) => podWith(`p${i}`, facts)),
  isEnding: ({ metadata }) => metadata.deletionTimestamp !== undefined || ending.includes(metadata.name),
  costAnnotation: 'example.com/cost',
  showsTerminating: true,
});

describe('the pods that a ReplicaSet creates and deletes', () => {
  const deleted = { metadata: { deletionTimestamp: nowText } };
  for (const [title, given, create, remove] of [
    ['creates the pods that are missing', state(set(3), [{}]), 2, []],
    ['creates at most 500 at once', state(set(2000), []), 500, []],
    ['deletes the pods that are too many', state(set(1), [{}, { isReady: false }, {}]), 0, ['p1', 'p0']],
    ['with 0 replicas deletes all', state(set(0), [{}]), 0, ['p0']],
    ['does nothing when the number is right', state(set(2), [{}, {}]), 0, []],
    ['replaces pods that have ended', state(set(1), [{ phase: 'Failed' }, { phase: 'Succeeded' }]), 1, []],
    ['replaces pods that are being deleted', state(set(1), [deleted]), 1, []],
    ['counts no pod that it has just deleted', state(set(1), [{}, {}], ['p0']), 0, []],
    [
      'that is being deleted stays as it is',
      state(set(3, { metadata: metaOf('web', { deletionTimestamp: nowText }) }), []),
      0,
      [],
    ],
  ] as const) {
    it(`the controller finds that a set ${title}`, () => {
      const decision = decideReplicas(given);
      const names = decision.remove.map(({ metadata }) => metadata.name);
      assert.deepEqual([decision.create, names], [create, remove]);
    });
  }
});

describe('the status of a ReplicaSet', () => {
  it('the status counts pods that exist, have all labels, are ready and are available', () => {
    const pods = [
      {},
      { isReady: false },
      { since: '2024-01-01T11:59:30Z' },
      { metadata: { labels: {} } },
      { phase: 'Failed' },
      { metadata: { deletionTimestamp: nowText } },
    ];
    const { status, recheckMs } = statusOf(state(set(3, {}, 20), pods), NOW);
    assert.deepEqual(status, {
      replicas: 4,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 3,
      conditions: [],
    });
    assert.equal(recheckMs, 20_000, 'the next pod becomes available then');
  });

  it('the status shows a failure until the next success', () => {
    const failure = { reason: 'FailedCreate', message: 'exceeded quota' } as const;
    const { status } = statusOf(state(set(1), []), NOW, failure);
    assert.deepEqual(status.conditions, [
      { type: 'ReplicaFailure', status: 'True', ...failure, lastTransitionTime: nowText },
    ]);
    const later = statusOf(state(set(1, { status }), [{}]), NOW);
    assert.deepEqual(later.status.conditions, []);
  });
});
