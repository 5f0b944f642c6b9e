import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { mutated, testWrite } from '../testing/plugin-calls.ts';
import { podGroupProtection } from './pod-group-protection.ts';

const names = namesFor('kubernetes');
const write = testWrite({
  group: 'scheduling',
  resource: 'podgroups',
  object: { metadata: { name: 'g', finalizers: ['a'] } },
});

describe('admission plugin PodGroupProtection', () => {
  it('new groups get the finalizer', async () => {
    const { object } = await mutated(podGroupProtection({ names, protectsPodGroups: true }), write);
    assert.deepEqual(object?.metadata.finalizers, ['a', 'scheduling.k8s.io/podgroup-protection']);
  });

  it('groups are not changed where their pods have no group, and other objects never are', () => {
    assert.equal(podGroupProtection({ names, protectsPodGroups: false }).handles(write), false);
    const plugin = podGroupProtection({ names, protectsPodGroups: true });
    assert.equal(plugin.handles({ ...write, resource: 'workloads' }), false);
    assert.equal(plugin.handles({ ...write, operation: 'UPDATE' }), false);
  });
});
