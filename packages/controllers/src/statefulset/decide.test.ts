import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type kinds, namesFor, type Stored } from '@orch/client';
import { metaOf, NOW, nowText, type PodFacts, podWith, template } from '../testing/workloads.ts';
import { decideStatefulSet, type StatefulSetState, statusOf } from './decide.ts';
import { claimsFor, ordinalOf, statefulPod } from './pod.ts';

type Spec = Partial<kinds.apps.StatefulSetSpec>;
type Facts = PodFacts & { readonly revision?: string };

const setWith = (replicas: number, spec: Spec = {}): Stored<kinds.apps.StatefulSet> => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: metaOf('db', { generation: 2 }),
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template, serviceName: 'db', ...spec },
});
const state = (
  replicas: number,
  pods: Readonly<Record<number, Facts>>,
  spec: Spec = {},
  revisions = { current: 'old', update: 'new' },
): StatefulSetState => ({
  set: setWith(replicas, spec),
  pods: Object.entries(pods).map(([ordinal, { revision = 'new', metadata, ...facts }]) =>
    podWith(`db-${ordinal}`, {
      ...facts,
      metadata: { ...metadata, labels: { 'controller-revision-hash': revision } },
    }),
  ),
  ...revisions,
  nowMs: NOW,
  isEnding: ({ metadata }) => metadata.deletionTimestamp !== undefined,
});
const deleted = { metadata: { deletionTimestamp: nowText } };
const pending = { phase: 'Pending' };
const old = { revision: 'old' };
const parallel = { podManagementPolicy: 'Parallel' };
const partition = (at: number): Spec => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: at } },
});

describe('the next step of a StatefulSet', () => {
  for (const [title, given, create, remove] of [
    ['creates the first pod alone', state(3, {}), ['0 new'], []],
    ['waits until a pod is ready before it creates the next', state(3, { 0: { isReady: false } }), [], []],
    ['creates the next pod when those before are ready', state(3, { 0: {}, 1: {} }), ['2 new'], []],
    [
      'creates all pods at once with the policy Parallel',
      state(3, {}, parallel),
      ['0 new', '1 new', '2 new'],
      [],
    ],
    ['replaces a missing pod in the middle first', state(3, { 0: {}, 2: {} }), ['1 new'], []],
    ['deletes a pod that has ended, to create it again', state(1, { 0: { phase: 'Failed' } }), [], ['db-0']],
    ['deletes the last pod first, and one at a time', state(1, { 0: {}, 1: {}, 2: {} }), [], ['db-2']],
    ['waits for the end of a deleted pod', state(1, { 0: {}, 1: {}, 2: deleted }), [], []],
    ['deletes no pod while one that stays is not ready', state(1, { 0: pending, 1: {} }), [], []],
    [
      'deletes all surplus pods at once with the policy Parallel',
      state(0, { 0: {}, 1: pending }, parallel),
      [],
      ['db-1', 'db-0'],
    ],
    ['starts with the ordinal that is given', state(1, {}, { ordinals: { start: 5 } }), ['5 new'], []],
    ['updates the last pod first', state(3, { 0: old, 1: old, 2: old }), [], ['db-2']],
    ['waits until the updated pod is ready', state(3, { 0: old, 1: old, 2: { isReady: false } }), [], []],
    ['updates the next pod then', state(3, { 0: old, 1: old, 2: {} }), [], ['db-1']],
    ['updates no pod below the partition', state(3, { 0: old, 1: old, 2: {} }, partition(2)), [], []],
    ['creates pods below the partition from the old revision', state(3, {}, partition(2)), ['0 old'], []],
    [
      'updates no pod with the strategy OnDelete',
      state(1, { 0: old }, { updateStrategy: { type: 'OnDelete' } }),
      [],
      [],
    ],
  ] as const) {
    it(`the controller finds that a set ${title}`, () => {
      const decision = decideStatefulSet(given);
      assert.deepEqual(
        decision.create.map(({ ordinal, revision }) => `${ordinal} ${revision}`),
        create,
      );
      assert.deepEqual(
        decision.remove.map(({ metadata }) => metadata.name),
        remove,
      );
    });
  }

  it('the status counts pods by revision, and ends the rollout when all are updated and ready', () => {
    const half = statusOf(state(2, { 0: old, 1: {} }), 0).status;
    assert.deepEqual([half.currentRevision, half.currentReplicas, half.updatedReplicas], ['old', 1, 1]);
    const whole = statusOf(state(2, { 0: {}, 1: {} }), 0).status;
    assert.deepEqual([whole.currentRevision, whole.currentReplicas, whole.readyReplicas], ['new', 2, 2]);
    const waiting = statusOf(state(2, { 0: {}, 1: { isReady: false } }), 0).status;
    assert.deepEqual([waiting.currentRevision, waiting.updatedReplicas], ['old', 2]);
  });
});

describe('the pods of a StatefulSet', () => {
  const data = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
  const set = setWith(1, { volumeClaimTemplates: [data] });
  const names = namesFor('kubernetes');

  it('a pod has its name, host name, service, labels and claims', () => {
    const pod = statefulPod(set, { ordinal: 3, revision: 'db-x', template }, names);
    assert.equal(pod.metadata.name, 'db-3');
    assert.deepEqual([pod.spec?.hostname, pod.spec?.subdomain], ['db-3', 'db']);
    assert.equal(pod.metadata.labels?.[names.labels.podIndex], '3');
    assert.deepEqual(pod.spec?.volumes, [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-3' } },
    ]);
    assert.deepEqual(
      claimsFor(set, 3).map(({ metadata }) => [metadata.name, metadata.labels]),
      [['data-db-3', { app: 'web' }]],
    );
  });

  for (const [name, ordinal] of [
    ['db-0', 0],
    ['db-12', 12],
    ['db-01', undefined],
    ['db-x', undefined],
    ['other-1', undefined],
  ] as const)
    it(`the pod ${name} has ${ordinal === undefined ? 'no ordinal' : `the ordinal ${ordinal}`}`, () =>
      assert.equal(ordinalOf(podWith(name), set), ordinal));
});
