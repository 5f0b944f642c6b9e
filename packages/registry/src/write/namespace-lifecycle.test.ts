import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

describe('the lifecycle of namespaces', () => {
  it('the system namespaces exist from the start, and three of them cannot be deleted', async () => {
    await using api = await RegistryFixture.open();
    const { json } = await api.get('/api/v1/namespaces');
    assert.deepEqual(
      json.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['default', 'orch-node-lease', 'orch-public', 'orch-system'],
    );
    for (const name of ['default', 'orch-public', 'orch-system']) {
      const { status, json } = await api.delete(`/api/v1/namespaces/${name}`);
      assert.deepEqual([status, json.reason, json.details.name], [403, 'Forbidden', name]);
    }
    await api.registry.bootstrap(new AbortController().signal);
  });

  it('a terminating namespace refuses new objects, permits deletes, and is removed when finalized', async () => {
    await using api = await RegistryFixture.open();
    const created = await api.post('/api/v1/namespaces', { metadata: { name: 'x', labels: { a: 'b' } } });
    assert.equal(created.status, 201);
    assert.deepEqual(created.json.spec, { finalizers: ['orch'] });
    assert.deepEqual(created.json.status, { phase: 'Active' });
    assert.deepEqual(created.json.metadata.labels, { a: 'b', 'orch.io/metadata.name': 'x' });
    await api.post('/api/v1/namespaces/x/configmaps', configMap('a'));

    const deleted = await api.delete('/api/v1/namespaces/x');
    assert.deepEqual([deleted.status, deleted.json.status.phase], [200, 'Terminating']);
    assert.ok(deleted.json.metadata.deletionTimestamp);
    const again = await api.delete('/api/v1/namespaces/x');
    assert.equal(again.json.metadata.resourceVersion, deleted.json.metadata.resourceVersion);
    // Also before the cache has received the deletion.
    assert.equal((await api.post('/api/v1/namespaces/x/configmaps', configMap('b'))).status, 403);
    assert.equal((await api.patch('/api/v1/namespaces/x/configmaps/a', { data: { k: 'v' } })).status, 200);
    assert.equal((await api.delete('/api/v1/namespaces/x/configmaps/a')).status, 200);

    const main = await api.put('/api/v1/namespaces/x', { ...deleted.json, spec: { finalizers: [] } });
    assert.deepEqual(main.json.spec, { finalizers: ['orch'] });
    const finalized = await api.put('/api/v1/namespaces/x/finalize', { ...main.json, spec: {} });
    assert.equal(finalized.status, 200);
    assert.equal((await api.get('/api/v1/namespaces/x')).status, 404);
  });

  it('a namespace that is not cached yet is found before a create fails with 404', async () => {
    await using first = await RegistryFixture.open();
    await using second = await RegistryFixture.open({ store: first.model, seed: 2 });
    await first.post('/api/v1/namespaces', { metadata: { name: 'x' } });
    // The second replica has not seen the namespace when the request comes.
    assert.equal((await second.post('/api/v1/namespaces/x/configmaps', configMap('a'))).status, 201);
  });
});
