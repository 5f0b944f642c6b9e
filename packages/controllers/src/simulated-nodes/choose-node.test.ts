import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { metaOf, podWith } from '../testing/workloads.ts';
import { chooseNode } from './choose-node.ts';

type Node = kinds.core.Node;
type PodSpec = kinds.core.PodSpec;

const node = (name: string, more: Partial<Node> = {}, labels: Record<string, string> = {}): Node => ({
  metadata: metaOf(name, { labels }),
  status: { allocatable: { cpu: '2', memory: '1Gi', pods: '3' } },
  ...more,
});
const pod = (spec: Partial<PodSpec> = {}, cpu = '500m') => ({
  ...podWith('p'),
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], ...spec },
});
const taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' };
const tainted = node('a', { spec: { taints: [taint] } });
const fast = node('b', {}, { disk: 'fast', size: '7' });
const required = (key: string, operator: string, values?: string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values && { values }) }] }],
      },
    },
  },
});

describe('the node of a pod', () => {
  for (const [title, spec, nodes, expected] of [
    [
      'is the one with the labels that it selects',
      { nodeSelector: { disk: 'fast' } },
      [node('a'), fast],
      'b',
    ],
    [
      'is one of those with the value that it requires',
      required('disk', 'In', ['fast']),
      [node('a'), fast],
      'b',
    ],
    ['is one without the label that it excludes', required('disk', 'DoesNotExist'), [fast, node('c')], 'c'],
    ['has a label that is large enough', required('size', 'Gt', ['6']), [node('a'), fast], 'b'],
    ['has no taint that it does not tolerate', {}, [tainted, node('b')], 'b'],
    [
      'may have a taint that it tolerates',
      { tolerations: [{ key: 'dedicated', value: 'db' }] },
      [tainted],
      'a',
    ],
    ['may have any taint if it tolerates all', { tolerations: [{ operator: 'Exists' }] }, [tainted], 'a'],
    ['is not one that is cordoned', {}, [node('a', { spec: { unschedulable: true } }), node('b')], 'b'],
  ] as readonly (readonly [string, Partial<PodSpec>, readonly Node[], string])[])
    it(`the scheduler finds that the node of a pod ${title}`, () =>
      assert.deepEqual(
        chooseNode(pod(spec), nodes, () => []),
        { node: expected },
      ));

  it('a pod goes to the node with the fewest pods', () => {
    const on = (name: string) => (name === 'a' ? [podWith('x')] : []);
    assert.deepEqual(chooseNode(pod(), [node('a'), node('b')], on), { node: 'b' });
  });

  it('a pod that fits nowhere learns the reason against each node', () => {
    const full = [podWith('x'), podWith('y'), podWith('z')];
    const busy = [pod({}, '1800m')];
    const nodes = [tainted, node('busy'), node('full'), node('other')];
    const on = (name: string) => (name === 'full' ? full : name === 'a' ? [] : busy);
    assert.deepEqual(chooseNode(pod(), nodes, on), {
      message:
        '0/4 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint {dedicated: db}, 2 Insufficient cpu.',
    });
    assert.deepEqual(
      chooseNode(pod(), [], () => []),
      { message: '0/0 nodes are available.' },
    );
  });
});
