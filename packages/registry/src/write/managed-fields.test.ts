import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, map, owners } from '../testing/applies.ts';
import { deployment } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const revision = (api: RegistryFixture): Promise<number> =>
  api.model.currentRevision(new AbortController().signal);

describe('field ownership of writes other than applies', () => {
  it('a create records the named manager, or the user agent up to the slash', async () => {
    await using api = await RegistryFixture.open();
    const headers = { 'user-agent': 'kubectl/v1.24.0 (linux/amd64)' };
    const created = await api.post(cms, map('a', { k: 'v' }), { headers });
    assert.deepEqual(created.json.metadata.managedFields, [
      {
        manager: 'kubectl',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2024-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } },
      },
    ]);
    const changed = await api.put(`${cms}/a?fieldManager=me`, map('a', { k: 'w' }), { headers });
    assert.deepEqual(owners(changed.json), {
      'kubectl Update': { 'f:data': {} },
      'me Update': { 'f:data': { 'f:k': {} } },
    });
  });

  for (const [release, expected] of [
    ['1.15', {}],
    ['1.17', {}],
    ['1.18', { 'me Update': { 'f:data': { '.': {}, 'f:k': {} } } }],
  ] as const) {
    it(`release ${release} ${Object.keys(expected).length === 0 ? 'does not record' : 'records'} the owners of objects that were never applied`, async () => {
      await using api = await RegistryFixture.open({ release });
      await api.post(`${cms}?fieldManager=me`, map('a', { k: 'u' }));
      const { json } = await api.put(`${cms}/a?fieldManager=me`, map('a', { k: 'v' }));
      assert.deepEqual(Object.keys(owners(json)), Object.keys(expected));
    });
  }

  it('release 1.17 records owners from the first apply on, and gives earlier fields to a common owner', async () => {
    await using api = await RegistryFixture.open({ release: '1.17' });
    await api.post(cms, map('a', { k: 'v' }));
    const applied = await apply(api, `${cms}/a`, map('a', { l: 'w' }));
    assert.deepEqual(Object.keys(owners(applied.json)), ['tool Apply', 'before-first-apply Update']);
    const updated = await api.patch(`${cms}/a?fieldManager=me`, { data: { k: 'x' } });
    assert.ok('me Update' in owners(updated.json));
  });

  for (const [what, write] of [
    ['a merge patch', (api: RegistryFixture) => api.patch(`${cms}/a?fieldManager=me`, { data: { k: 'x' } })],
    [
      'a JSON patch',
      (api: RegistryFixture) =>
        api.patch(`${cms}/a?fieldManager=me`, [{ op: 'replace', path: '/data/k', value: 'x' }], 'json'),
    ],
    [
      'a strategic merge patch',
      (api: RegistryFixture) =>
        api.send('PATCH', `${cms}/a?fieldManager=me`, {
          body: { data: { k: 'x' } },
          contentType: 'application/strategic-merge-patch+json',
        }),
    ],
  ] as const) {
    it(`${what} takes over the ownership of changed fields`, async () => {
      await using api = await RegistryFixture.open();
      await apply(api, `${cms}/a`, map('a', { k: 'v', l: 'w' }));
      const { json } = await write(api);
      assert.deepEqual(owners(json), {
        'tool Apply': { 'f:data': { 'f:l': {} } },
        'me Update': { 'f:data': { 'f:k': {} } },
      });
    });
  }

  it('writes through subresources have separate entries with only their fields', async () => {
    await using api = await RegistryFixture.open();
    await apply(api, `${deployments}/d`, deployment('d'));
    const status = await api.patch(`${deployments}/d/status?fieldManager=c`, {
      spec: { replicas: 9 },
      status: { observedGeneration: 1 },
    });
    assert.equal(status.json.spec.replicas, 1);
    assert.deepEqual(owners(status.json)['c Update status'], { 'f:status': { 'f:observedGeneration': {} } });
    await api.patch(`${deployments}/d/scale?fieldManager=s`, { spec: { replicas: 4 } });
    const { json } = await api.get(`${deployments}/d`);
    assert.deepEqual(owners(json)['s Update scale'], { 'f:spec': { 'f:replicas': {} } });
    assert.ok(!('c Update' in owners(json)));
  });

  it('a binding owns the fields that it sets on the pod', async () => {
    await using api = await RegistryFixture.open();
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    assert.equal((await api.post(`${ns}/pods?fieldManager=me`, pod)).status, 201);
    const target = { kind: 'Node', name: 'n' };
    const bound = await api.post(`${ns}/pods/p/binding?fieldManager=sched`, {
      metadata: { name: 'p' },
      target,
    });
    assert.equal(bound.status, 201, bound.text);
    const own = owners((await api.get(`${ns}/pods/p`)).json)['sched Update binding'] as Record<
      string,
      object
    >;
    assert.deepEqual(own['f:spec'], { 'f:nodeName': {} });
  });

  it('a write that changes nothing keeps the owners and uses no revision', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${cms}?fieldManager=me`, map('a', { k: 'v' }));
    await api.settled();
    const before = await revision(api);
    await api.env.clock.advanceAsync(60_000);
    const { json } = await api.put(`${cms}/a?fieldManager=other`, map('a', { k: 'v' }));
    assert.deepEqual(Object.keys(owners(json)), ['me Update']);
    assert.equal(await revision(api), before);
  });
});

describe('managed fields in requests', () => {
  it('a list of one empty entry resets managed fields, and the request owns its changes', async () => {
    await using api = await RegistryFixture.open();
    await apply(api, `${cms}/a`, map('a', { k: 'v', l: 'w' }));
    const reset = { metadata: { managedFields: [{}] } };
    assert.deepEqual(owners((await api.patch(`${cms}/a?fieldManager=me`, reset)).json), {});
    await apply(api, `${cms}/b`, map('b', { k: 'v', l: 'w' }));
    const both = await api.patch(`${cms}/b?fieldManager=me`, { ...reset, data: { k: 'x' } });
    assert.deepEqual(owners(both.json), { 'me Update': { 'f:data': { 'f:k': {} } } });
    await apply(api, `${cms}/c`, map('c', { k: 'v' }));
    const kept = await api.patch(`${cms}/c?fieldManager=me`, { metadata: { managedFields: [] } });
    assert.deepEqual(Object.keys(owners(kept.json)), ['tool Apply']);
  });

  it('a replace with the managed fields as read changes nothing', async () => {
    await using api = await RegistryFixture.open();
    const { json, text } = await apply(api, `${cms}/a`, map('a', { k: 'v' }));
    await api.settled();
    assert.equal((await api.put(`${cms}/a?fieldManager=other`, json)).text, text);
  });
});
