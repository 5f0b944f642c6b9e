import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { mutated, testWrite } from '../testing/plugin-calls.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

describe('admission plugin TaintNodesByCondition', () => {
  const plugin = taintNodesByCondition({ names: namesFor('kubernetes') });
  const node = (...taints: readonly object[]) => ({ metadata: { name: 'n' }, spec: { taints } });
  const creating = (object: ReturnType<typeof node>) => testWrite({ resource: 'nodes', object });

  it('a new node is tainted as not ready, in addition to its own taints', async () => {
    const own = { key: 'k', effect: 'NoExecute' };
    const { object } = await mutated(plugin, creating(node(own)));
    assert.deepEqual(object?.['spec'], { taints: [own, notReady] });
  });

  it('a node that comes with the taint gets no second one', async () => {
    assert.deepEqual((await mutated(plugin, creating(node(notReady)))).object, node(notReady));
  });

  it('updates are not changed', () => {
    assert.equal(plugin.handles({ ...creating(node()), operation: 'UPDATE' }), false);
  });
});
