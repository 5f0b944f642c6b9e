import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PodFacts, podWith } from '../testing/workloads.ts';
import { deletionCost, inRemovalOrder } from './removal-order.ts';

const COST = 'example.com/cost';
const early = '2024-01-01T10:00:00Z';
const late = '2024-01-01T11:00:00Z';
const costs = (cost: string) => ({ metadata: { annotations: { [COST]: cost } } });

describe('the order in which pods are deleted', () => {
  for (const [title, first, second] of [
    [
      'a pod without a node goes before a pending one',
      { nodeName: '', phase: 'Pending' },
      { phase: 'Pending' },
    ],
    ['a pending pod goes before a running one', { phase: 'Pending' }, { isReady: false }],
    ['a pod that is not ready goes before a ready one', { isReady: false }, {}],
    ['a ready pod with a low cost goes before one with a high cost', costs('-5'), costs('3')],
    ['a pod that became ready later goes first', { since: late }, { since: early }],
    ['a pod with more restarts goes first', { restarts: 2 }, { restarts: 1 }],
    [
      'a newer pod goes before an older one',
      { metadata: { creationTimestamp: late } },
      { metadata: { creationTimestamp: early } },
    ],
    ['readiness counts more than cost', { isReady: false, ...costs('9') }, costs('0')],
  ] as readonly (readonly [string, PodFacts, PodFacts])[]) {
    it(title, () => {
      const pods = [podWith('second', second), podWith('first', first)];
      const names = inRemovalOrder(pods, COST).map(({ metadata }) => metadata.name);
      assert.deepEqual(names, ['first', 'second']);
    });
  }

  it('pods that share their node go before pods that are alone on theirs', () => {
    const pods = [
      podWith('alone', { nodeName: 'a' }),
      podWith('one', { nodeName: 'b' }),
      podWith('two', { nodeName: 'b' }),
    ];
    assert.equal(inRemovalOrder(pods, COST).at(-1)?.metadata.name, 'alone');
  });

  for (const [text, cost] of [
    ['7', 7],
    ['-7', -7],
    ['+7', 0],
    ['07', 0],
    ['9999999999', 0],
    ['x', 0],
  ] as const)
    it(`the cost ${JSON.stringify(text)} counts as ${cost}`, () =>
      assert.equal(deletionCost(podWith('p', costs(text)), COST), cost));
});
