import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';

it('a binding assigns a pod to a node once', async () => {
  await using api = await RegistryFixture.open();
  await api.post(`${ns}/pods`, pod('p'));
  await api.post(`${ns}/pods`, pod('q'));
  const binding = {
    metadata: { name: 'p', annotations: { by: 'me' } },
    target: { kind: 'Node', name: 'n' },
  };
  const bound = await api.post(`${ns}/pods/p/binding`, binding);
  assert.deepEqual([bound.status, bound.json.status, bound.json.code], [201, 'Success', 201]);
  const { json } = await api.get(`${ns}/pods/p`);
  assert.equal(json.spec.nodeName, 'n');
  assert.equal(json.metadata.annotations.by, 'me');
  assert.deepEqual(
    json.status.conditions.map((c: { type: string; status: string }) => [c.type, c.status]),
    [['PodScheduled', 'True']],
  );
  assert.equal((await api.post(`${ns}/bindings`, { ...binding, metadata: { name: 'q' } })).status, 201);
  assert.equal((await api.get(`${ns}/pods?fieldSelector=spec.nodeName%3Dn`)).json.items.length, 2);
  assert.equal((await api.post(`${ns}/pods/q/binding`, { ...binding, metadata: { name: 'p' } })).status, 400);
  assert.equal(
    (await api.post(`${ns}/pods/q/binding`, { metadata: { name: 'q' }, target: { kind: 'Pod' } })).status,
    422,
  );
});

it('a binding below a pod names the pod, which its address does not replace', async () => {
  await using api = await RegistryFixture.open();
  await api.post(`${ns}/pods`, pod('p'));
  const target = { kind: 'Node', name: 'n' };
  assert.equal((await api.post(`${ns}/pods/p/binding`, { metadata: {}, target })).status, 400);
});

for (const [release, status] of [
  ['1.36', 201],
  ['1.37', 422],
] as const)
  it(`a binding to a name that no node can have answers ${status} at ${release}`, async () => {
    await using api = await RegistryFixture.open({ release });
    await api.post(`${ns}/pods`, pod('p'));
    const bind = async (kind: string) =>
      await api.post(`${ns}/pods/p/binding`, { metadata: { name: 'p' }, target: { kind, name: 'A_' } });
    assert.equal((await bind('Node')).status, status);
  });
