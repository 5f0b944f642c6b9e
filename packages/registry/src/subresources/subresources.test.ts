import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const eviction = (version: string, deleteOptions?: object) => ({
  kind: 'Eviction',
  apiVersion: `policy/${version}`,
  metadata: { name: 'p' },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

describe('eviction of a pod', () => {
  it('an eviction in either version deletes with its delete options', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('p', { nodeName: 'n' }));
    const path = `${ns}/pods/p/eviction`;
    const { status, json } = await api.post(path, eviction('v1beta1'));
    assert.deepEqual([status, json.kind, json.status, json.code], [201, 'Status', 'Success', 201]);
    assert.equal((await api.get(`${ns}/pods/p`)).json.metadata.deletionGracePeriodSeconds, 30);
    assert.equal(
      (await api.post(`${path}?dryRun=All`, eviction('v1', { gracePeriodSeconds: 0 }))).status,
      201,
    );
    assert.equal((await api.get(`${ns}/pods/p`)).status, 200);
    const conflict = await api.post(path, eviction('v1', { preconditions: { uid: 'x' } }));
    assert.equal(conflict.status, 409);
    assert.equal((await api.post(path, eviction('v1', { gracePeriodSeconds: 0 }))).status, 201);
    assert.equal((await api.get(`${ns}/pods/p`)).status, 404);
  });

  it('an eviction of another name or kind is refused', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('p'));
    const path = `${ns}/pods/p/eviction`;
    assert.equal((await api.post(path, { ...eviction('v1'), metadata: { name: 'q' } })).status, 400);
    assert.equal((await api.post(path, { ...eviction('v1'), metadata: {} })).status, 400);
    assert.equal((await api.post(path, { ...eviction('v1'), kind: 'Binding' })).status, 400);
    assert.equal((await api.post(path, eviction('v2'))).status, 400);
    assert.equal((await api.get(path)).status, 405);
  });
});

describe('ephemeral containers', () => {
  it('ephemeral containers are added only through their subresource', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('p'));
    const added = { spec: { ephemeralContainers: [{ name: 'debug', image: 'sh' }] } };
    const { status, json } = await api.patch(`${ns}/pods/p/ephemeralcontainers`, added);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(
      json.spec.ephemeralContainers.map((c: { name: string }) => c.name),
      ['debug'],
    );
    assert.equal((await api.get(`${ns}/pods/p/ephemeralcontainers`)).json.kind, 'Pod');
    assert.equal((await api.patch(`${ns}/pods/p`, { spec: { ephemeralContainers: null } })).status, 422);
  });
});

describe('connections to nodes', () => {
  it('connections to missing subresources or objects get 404, and other methods 405', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('p'));
    for (const [method, path, code] of [
      ['GET', `${ns}/pods/p/nothing`, 404],
      ['PUT', `${ns}/pods/p/log`, 405],
      ['POST', `${ns}/serviceaccounts/default/token`, 404],
    ] as const) {
      assert.equal((await api.send(method, path)).status, code, `${method} ${path}`);
    }
  });
});

describe('component statuses', () => {
  it('component statuses report the health of store and leaders, with a deprecation warning', async () => {
    await using api = await RegistryFixture.open();
    const health = async (): Promise<string[]> =>
      (await api.get('/api/v1/componentstatuses')).json.items.map(
        (item: { metadata: { name: string }; conditions: { status: string }[] }) =>
          `${item.metadata.name} ${item.conditions[0]?.status}`,
      );
    assert.deepEqual(await health(), ['controller-manager False', 'etcd-0 True', 'scheduler False']);
    const lease = {
      metadata: { name: 'orch-scheduler' },
      spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2024-01-01T00:00:00.000000Z' },
    };
    await api.post('/apis/coordination.orch.io/v1/namespaces/orch-system/leases', lease);
    await api.settled();
    assert.deepEqual(await health(), ['controller-manager False', 'etcd-0 True', 'scheduler True']);
    const path = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases/orch-scheduler';
    await api.patch(path, { spec: { holderIdentity: '' } });
    await api.settled();
    assert.deepEqual(await health(), ['controller-manager False', 'etcd-0 True', 'scheduler False']);
    await api.patch(path, { spec: { holderIdentity: 'two' } });
    await api.settled();
    assert.deepEqual(await health(), ['controller-manager False', 'etcd-0 True', 'scheduler True']);
    await api.env.clock.advanceAsync(16_000);
    assert.deepEqual(await health(), ['controller-manager False', 'etcd-0 True', 'scheduler False']);
    const one = await api.get('/api/v1/componentstatuses/etcd-0');
    assert.deepEqual([one.status, one.json.kind], [200, 'ComponentStatus']);
    assert.equal((await api.get('/api/v1/componentstatuses/none')).status, 404);
    assert.equal((await api.post('/api/v1/componentstatuses', {})).status, 405);
    const table = await api.get('/api/v1/componentstatuses', {
      accept: 'application/json;as=Table;g=meta.orch.io;v=v1',
    });
    assert.equal(table.json.rows.length, 3);
    assert.deepEqual(one.headers['Warning'], ['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
    assert.match(
      api.env.metrics.text(),
      /apiserver_requested_deprecated_apis\{.*resource="componentstatuses".*\} 1/,
    );
    await using older = await RegistryFixture.open({ release: '1.18' });
    assert.equal((await older.get('/api/v1/componentstatuses')).headers['Warning'], undefined);
  });
});
