import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';

describe('the verb update', () => {
  it('update replaces all fields that clients may set, and writes nothing when nothing changes', async () => {
    await using api = await RegistryFixture.open();
    const created = (await api.post(cms, configMap('a', { k: 'v' }, { labels: { a: 'b' } }))).json;
    const { status, json } = await api.put(`${cms}/a`, configMap('a', { k: 'w' }));
    assert.equal(status, 200);
    assert.deepEqual([json.data, json.metadata.labels], [{ k: 'w' }, undefined]);
    assert.deepEqual(
      [json.metadata.uid, json.metadata.creationTimestamp],
      [created.metadata.uid, created.metadata.creationTimestamp],
    );
    assert.notEqual(json.metadata.resourceVersion, created.metadata.resourceVersion);
    const same = await api.put(`${cms}/a`, json);
    assert.deepEqual(same.json, json);
    assert.deepEqual((await api.patch(`${cms}/a`, { data: { k: 'w' } })).json, json);
  });

  it('update with a resourceVersion fails with 409 when the object has another version', async () => {
    await using api = await RegistryFixture.open();
    const first = (await api.post(cms, configMap('a'))).json;
    const second = await api.put(`${cms}/a`, { ...first, data: { k: '1' } });
    assert.equal(second.status, 200);
    const stale = await api.put(`${cms}/a`, { ...first, data: { k: '2' } });
    assert.deepEqual([stale.status, stale.json.reason], [409, 'Conflict']);
    assert.equal((await api.put(`${cms}/a`, { ...second.json, data: { k: '3' } })).status, 200);
  });

  it('the generation is incremented by each change of the spec', async () => {
    await using api = await RegistryFixture.open();
    const rcs = `${ns}/replicationcontrollers`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { json } = await api.post(rcs, {
      metadata: { name: 'r' },
      spec: { replicas: 1, selector: { a: 'b' }, template },
    });
    assert.equal(json.metadata.generation, 1);
    assert.equal(
      (await api.patch(`${rcs}/r`, { metadata: { labels: { x: 'y' } } })).json.metadata.generation,
      1,
    );
    assert.equal((await api.patch(`${rcs}/r`, { spec: { replicas: 2 } })).json.metadata.generation, 2);
    assert.equal((await api.patch(`${rcs}/r`, { metadata: { generation: 7 } })).json.metadata.generation, 2);
    assert.equal(
      (await api.patch(`${rcs}/r/status`, { status: { replicas: 1 } })).json.metadata.generation,
      2,
    );
  });

  it('update creates a missing object with 201 where the kind permits it', async () => {
    await using api = await RegistryFixture.open();
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } };
    const created = await api.put(`${leases}/l`, lease);
    assert.equal(created.status, 201);
    assert.equal((await api.put(`${leases}/l`, created.json)).status, 200);
    assert.equal(
      (await api.put(`${leases}/m`, { ...lease, metadata: { name: 'm', resourceVersion: '5' } })).status,
      404,
    );
    assert.equal((await api.put(`${cms}/m`, configMap('m'))).status, 404);
  });

  it('update refuses an object without a name', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    for (const metadata of [{}, { name: '' }]) {
      const { status, json } = await api.put(`${cms}/a`, { metadata, data: { k: 'v' } });
      assert.deepEqual([status, json.reason], [400, 'BadRequest']);
    }
  });

  it('status is written only through its subresource, which writes nothing else', async () => {
    await using api = await RegistryFixture.open();
    const created = (await api.post(`${ns}/pods`, pod('p'))).json;
    const main = await api.put(`${ns}/pods/p`, { ...created, status: { phase: 'Failed' } });
    assert.deepEqual(main.json.status, created.status);
    const status = await api.put(`${ns}/pods/p/status`, {
      ...created,
      spec: { ...created.spec, nodeName: 'elsewhere' },
      status: { ...created.status, phase: 'Running' },
    });
    assert.equal(status.status, 200);
    assert.deepEqual([status.json.status.phase, status.json.spec.nodeName], ['Running', undefined]);
    assert.deepEqual((await api.get(`${ns}/pods/p/status`)).json, status.json);
    assert.equal(
      (await api.patch(`${ns}/pods/p/status`, { status: { message: 'm' } })).json.status.message,
      'm',
    );
    assert.equal((await api.post(`${ns}/pods/p/status`, created)).status, 405);
  });
});
