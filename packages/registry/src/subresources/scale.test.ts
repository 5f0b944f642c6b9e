import assert from 'node:assert/strict';
import { it } from 'node:test';
import { builtinTypes, typeIn, typesAt } from '@orch/apis';
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

for (const [release, status] of [
  ['1.36', 422],
  ['1.37', 200],
] as const)
  it(`a Scale with finalizers that no object can have answers ${status} at ${release}`, async () => {
    await using api = await RegistryFixture.open({ release });
    const rcs = `${ns}/replicationcontrollers`;
    await api.post(rcs, { metadata: { name: 'r' }, spec: controller });
    const { json } = await api.get(`${rcs}/r/scale`);
    const set = { ...json, metadata: { ...json.metadata, finalizers: ['A_B c'] }, spec: { replicas: 5 } };
    assert.equal((await api.put(`${rcs}/r/scale`, set)).status, status);
  });

for (const { method, contentType, refusal } of [
  { method: 'PUT', contentType: 'application/json', refusal: 400 },
  { method: 'PATCH', contentType: 'application/merge-patch+json', refusal: 422 },
  { method: 'PATCH', contentType: 'application/strategic-merge-patch+json', refusal: 422 },
])
  it(`a Scale with an unknown field is warned about, ignored or refused with ${refusal} by ${method} as ${contentType}`, async () => {
    await using api = await RegistryFixture.open({ release: '1.34' });
    const rcs = `${ns}/replicationcontrollers`;
    await api.post(rcs, { metadata: { name: 'r' }, spec: controller });
    const write = (validation: string) =>
      api.send(method, `${rcs}/r/scale?fieldValidation=${validation}`, {
        body: {
          kind: 'Scale',
          apiVersion: 'autoscaling/v1',
          metadata: { name: 'r' },
          spec: { replicas: 1, a: 'b' },
        },
        contentType,
      });
    const [warned, ignored, refused] = [await write('Warn'), await write('Ignore'), await write('Strict')];
    assert.deepEqual([warned.status, ignored.status, refused.status], [200, 200, refusal]);
    assert.match(String(warned.headers['Warning']), /unknown field \\"spec\.a\\"/);
    assert.equal(ignored.headers['Warning'], undefined);
  });

it('an applied Scale with an unknown field is refused', async () => {
  await using api = await RegistryFixture.open();
  const rcs = `${ns}/replicationcontrollers`;
  await api.post(rcs, { metadata: { name: 'r' }, spec: controller });
  const applied = await api.send('PATCH', `${rcs}/r/scale?fieldManager=m&force=true`, {
    body: {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'r' },
      spec: { replicas: 1, a: 'b' },
    },
    contentType: 'application/apply-patch+yaml',
  });
  assert.equal(applied.status, 400);
});

it('a Scale with wrong metadata and a negative number of replicas is refused for both before 1.37', async () => {
  await using api = await RegistryFixture.open({ release: '1.36' });
  const rcs = `${ns}/replicationcontrollers`;
  await api.post(rcs, { metadata: { name: 'r' }, spec: controller });
  const { json } = await api.get(`${rcs}/r/scale`);
  const set = { ...json, metadata: { ...json.metadata, labels: { a: 'é' } }, spec: { replicas: -1 } };
  const { causes } = (await api.put(`${rcs}/r/scale`, set)).json.details;
  assert.deepEqual(
    causes.map(({ field }: { field: string }) => field),
    ['metadata.labels', 'spec.replicas'],
  );
});

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { replicas: 3, selector: { matchLabels: { a: 'b' } }, template, serviceName: 's' };
const controller = { replicas: 3, selector: { a: 'b' }, template };
const columns = ['Name', 'Desired', 'Available', 'Age'];

for (const naming of ['orch', 'kubernetes'] as const) {
  for (const release of ['1.15', '1.24', '1.36'] as const) {
    it(`scale of every kind of ${release} is a table with the columns of replicas under the naming ${naming}`, async () => {
      await using api = await RegistryFixture.open({ naming, release });
      const group = api.names.group('meta');
      const scaled = typesAt(release, builtinTypes).flatMap((type) =>
        type.served
          .filter((version) => typeIn(type, version).subresources.some(({ name }) => name === 'scale'))
          .map(({ group: own, version }) => ({
            apiVersion: api.names.apiVersion(own ?? type.group, version),
            resource: type.resource,
          })),
      );
      assert.ok(scaled.length >= 4);
      for (const { apiVersion, resource } of scaled) {
        const base = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/namespaces/default/${resource}`;
        const isController = resource === 'replicationcontrollers';
        const name = apiVersion.replaceAll(/[./]/g, '-');
        // An older group serves only the scale of controllers.
        const made = await api.post(isController ? `${ns}/${resource}` : base, {
          metadata: { name },
          spec: isController ? controller : workload,
        });
        assert.equal(made.status, 201, `${base}: ${made.text}`);
        for (const v of ['v1', 'v1beta1']) {
          const accept = `application/json;as=Table;g=${group};v=${v}`;
          const table = await api.get(`${base}/${name}/scale`, { accept });
          assert.equal(table.json.apiVersion, `${group}/${v}`);
          assert.deepEqual(
            table.json.columnDefinitions.map(({ name }: { name: string }) => name),
            columns,
          );
          assert.deepEqual(table.json.rows[0].cells.slice(0, 3), [name, 3, 0]);
          const { uid, resourceVersion } = made.json.metadata;
          assert.equal(table.json.metadata.resourceVersion, resourceVersion);
          assert.equal(table.json.rows[0].object.metadata.uid, uid);
        }
      }
    });
  }
}

it('writes of a scale answer with a table, its metadata or the whole Scale, as the client accepts', async () => {
  await using api = await RegistryFixture.open();
  const scale = `${ns}/replicationcontrollers/r/scale`;
  await api.post(`${ns}/replicationcontrollers`, { metadata: { name: 'r' }, spec: controller });
  const { json } = await api.get(scale);
  const as = (kind: string) => ({ accept: `application/json;as=${kind};g=${api.names.group('meta')};v=v1` });
  const put = await api.put(scale, { ...json, spec: { replicas: 4 } }, as('Table'));
  assert.deepEqual(put.json.rows[0].cells.slice(0, 3), ['r', 4, 0]);
  assert.notEqual(put.json.metadata.resourceVersion, json.metadata.resourceVersion);
  const whole = await api.get(`${scale}?includeObject=Object`, as('Table'));
  assert.deepEqual(
    [whole.json.rows[0].object.kind, whole.json.rows[0].object.spec],
    ['Scale', { replicas: 4 }],
  );
  const partial = await api.get(scale, as('PartialObjectMetadata'));
  assert.deepEqual([partial.json.kind, partial.json.metadata.name], ['PartialObjectMetadata', 'r']);
  assert.equal(partial.json.spec, undefined);
});
