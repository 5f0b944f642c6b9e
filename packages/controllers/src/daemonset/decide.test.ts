import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type kinds, namesFor, type Stored } from '@orch/client';
import { metaOf, NOW, nowText, type PodFacts, podWith, template } from '../testing/workloads.ts';
import { decideDaemonSet, statusOf } from './decide.ts';
import type { DaemonSetState } from './places.ts';
import { daemonPod, nodeOf } from './pod.ts';

type Spec = Partial<kinds.apps.DaemonSetSpec>;
type Taint = kinds.core.Taint;
type Facts = PodFacts & { readonly revision?: string };

const names = namesFor('kubernetes');
const set = (spec: Spec = {}): Stored<kinds.apps.DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: metaOf('agent', { generation: 2 }),
  spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
});
const node = (
  name: string,
  taints: readonly Taint[] = [],
  labels: Record<string, string> = {},
): kinds.core.Node => ({
  metadata: metaOf(name, { labels }),
  spec: { taints: [...taints] },
});
const state = (
  nodes: readonly kinds.core.Node[],
  pods: Readonly<Record<string, Facts>>,
  spec: Spec = {},
): DaemonSetState => ({
  set: set(spec),
  nodes,
  pods: Object.entries(pods).map(([name, { revision = 'new', metadata, ...facts }]) =>
    podWith(name, { ...facts, metadata: { ...metadata, labels: { 'controller-revision-hash': revision } } }),
  ),
  revision: 'new',
  names,
  nowMs: NOW,
  isEnding: ({ metadata }) => metadata.deletionTimestamp !== undefined,
});
const on = (nodeName: string, facts: Facts = {}): Facts => ({ nodeName, ...facts });
const old = { revision: 'old' };
const three = [node('a'), node('b'), node('c')];
const db = { key: 'dedicated', value: 'db', effect: 'NoSchedule' };
const cordoned = { key: names.taints.unschedulable, effect: 'NoSchedule' };
const deleted = { metadata: { deletionTimestamp: nowText } };
const ssd = { ...template, spec: { containers: [], nodeSelector: { disk: 'ssd' } } };
const unavailable = (most: number | string): Spec => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: most } },
});
const surge = (most: number | string): Spec => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: most, maxUnavailable: 0 } },
});
const waiting = { isReady: false };

describe('the next step of a DaemonSet', () => {
  for (const [title, given, create, remove] of [
    ['creates a pod on each node', state(three, { p: on('b') }), ['a', 'c'], []],
    [
      'creates none on a node that the template does not select',
      state([node('a')], {}, { template: ssd }),
      [],
      [],
    ],
    [
      'creates one on a node with the label',
      state([node('a', [], { disk: 'ssd' })], {}, { template: ssd }),
      ['a'],
      [],
    ],
    ['creates none where it does not tolerate a taint', state([node('a', [db])], {}), [], []],
    ['keeps a pod where such a taint appears', state([node('a', [db])], { p: on('a') }), [], []],
    [
      'removes a pod where a taint drives it away',
      state([node('a', [{ ...db, effect: 'NoExecute' }])], { p: on('a') }),
      [],
      ['p'],
    ],
    ['creates one on a node that is cordoned', state([node('a', [cordoned])], {}), ['a'], []],
    ['removes a pod of a node that is gone', state([], { p: on('a') }), [], ['p']],
    [
      'removes a pod that has ended, and replaces it then',
      state([node('a')], { p: on('a', { phase: 'Failed' }) }),
      [],
      ['p'],
    ],
    [
      'waits for the end of a pod before it creates the next',
      state([node('a')], { p: on('a', deleted) }),
      [],
      [],
    ],
    ['keeps one of two pods on a node', state([node('a')], { p: on('a'), q: on('a') }), [], ['q']],
    [
      'replaces one old pod at a time',
      state(three, { p: on('a', old), q: on('b', old), r: on('c', old) }),
      [],
      ['p'],
    ],
    [
      'replaces no further pod while the limit is reached',
      state(three, { p: on('a', { isReady: false }), q: on('b', old), r: on('c', old) }),
      [],
      [],
    ],
    [
      'replaces as many as a percentage permits',
      state(three, { p: on('a', old), q: on('b', old), r: on('c', old) }, unavailable('50%')),
      [],
      ['p', 'q'],
    ],
    [
      'replaces an old pod that is not available whatever the limit is',
      state(three, {
        p: on('a', { isReady: false }),
        q: on('b', { ...old, isReady: false }),
        r: on('c', old),
      }),
      [],
      ['q'],
    ],
    [
      'replaces none with the strategy OnDelete',
      state([node('a')], { p: on('a', old) }, { updateStrategy: { type: 'OnDelete' } }),
      [],
      [],
    ],
    [
      'starts an updated pod beside the old one when it may surge',
      state(three, { p: on('a', old), q: on('b', old), r: on('c', old) }, surge(1)),
      ['a'],
      [],
    ],
    [
      'surges on no further node while the updated pod of one is not available',
      state(three, { p: on('a', old), pp: on('a', waiting), q: on('b', old), r: on('c', old) }, surge(1)),
      [],
      [],
    ],
    [
      'removes the old pod when the updated one is available',
      state(three, { p: on('a', old), pp: on('a'), q: on('b', old), r: on('c', old) }, surge(1)),
      [],
      ['p'],
    ],
    [
      'removes the old pod beside an updated one when it is not ready itself',
      state([node('a')], { p: on('a', { ...old, ...waiting }), pp: on('a', waiting) }, surge(1)),
      [],
      ['p'],
    ],
    [
      'surges wherever the old pod is not available, and by a percentage elsewhere',
      state(three, { p: on('a', { ...old, ...waiting }), q: on('b', old), r: on('c', old) }, surge('34%')),
      ['a', 'b', 'c'],
      [],
    ],
    [
      'keeps one pod of each template on a node while it may surge',
      state([node('a')], { p: on('a', old), pp: on('a', waiting), q: on('a', old), qq: on('a') }, surge(1)),
      [],
      ['qq', 'q'],
    ],
    [
      'creates a first pod where there is none before it surges elsewhere',
      state(three, { p: on('a', old), q: on('b', old) }, surge(2)),
      ['c'],
      [],
    ],
    [
      'does not surge with the strategy OnDelete',
      state(
        [node('a')],
        { p: on('a', old) },
        { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } } },
      ),
      [],
      [],
    ],
  ] as const) {
    it(`the controller finds that a set ${title}`, () => {
      const decision = decideDaemonSet(given);
      assert.deepEqual(
        [decision.create, decision.remove.map(({ metadata }) => metadata.name)],
        [create, remove],
      );
    });
  }

  it('the status counts nodes by their pods', () => {
    const nodes = [...three, node('d', [db])];
    const pods = { p: on('a'), q: on('b', { ...old, isReady: false }), r: on('d') };
    assert.deepEqual(statusOf(state(nodes, pods), 0).status, {
      observedGeneration: 2,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberMisscheduled: 1,
      numberReady: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 2,
    });
  });

  it('a pod is for one node before it has it', () => {
    const pod = daemonPod(set(), { name: 'agent-x', node: 'b', revision: 'new' }, names);
    assert.equal(nodeOf(pod), 'b');
    assert.equal(pod.spec?.nodeName, undefined, 'the scheduler binds it');
    assert.equal(pod.metadata.labels?.['controller-revision-hash'], 'new');
    assert.ok(pod.spec?.tolerations?.some(({ key }) => key === names.taints.notReady));
  });
});
