import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';

it('scale reads and writes spec.replicas', async () => {
  await using api = await RegistryFixture.open();
  const rcs = `${ns}/replicationcontrollers`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.post(rcs, { metadata: { name: 'r' }, spec: { replicas: 2, selector: { a: 'b' }, template } });
  const got = await api.get(`${rcs}/r/scale`);
  assert.deepEqual(
    [got.json.kind, got.json.apiVersion, got.json.spec, got.json.status],
    ['Scale', 'autoscaling/v1', { replicas: 2 }, { replicas: 0, selector: 'a=b' }],
  );
  const set = await api.put(`${rcs}/r/scale`, { ...got.json, spec: { replicas: 5 } });
  assert.deepEqual([set.status, set.json.spec.replicas], [200, 5]);
  assert.equal((await api.get(`${rcs}/r`)).json.spec.replicas, 5);
  assert.equal((await api.put(`${rcs}/r/scale`, { ...got.json, spec: { replicas: 6 } })).status, 409);
  const patched = await api.patch(`${rcs}/r/scale`, { spec: { replicas: 1 } });
  assert.equal(patched.json.spec.replicas, 1);
  const negative = await api.patch(`${rcs}/r/scale`, { spec: { replicas: -1 } });
  assert.deepEqual([negative.status, negative.json.details.causes[0].field], [422, 'spec.replicas']);
  assert.equal((await api.patch(`${rcs}/r/scale`, { spec: { replicas: 'x' } })).status, 422);
  assert.equal((await api.get(`${rcs}/none/scale`)).status, 404);
});
