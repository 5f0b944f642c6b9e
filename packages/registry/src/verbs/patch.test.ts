import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, deployment } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

/** The operations of a JSON patch that set the same fields; null removes a field. */
function operationsOf(change: object, path = ''): readonly object[] {
  return Object.entries(change).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return operationsOf(value, `${path}/${name}`);
    return value === null
      ? { op: 'remove', path: `${path}/${name}` }
      : { op: 'add', path: `${path}/${name}`, value };
  });
}

const strategic = (api: RegistryFixture, path: string, body: object) =>
  api.send('PATCH', path, { body, contentType: 'application/strategic-merge-patch+json' });

describe('the verb patch', () => {
  for (const [title, operations, expected] of [
    [
      'replaces the last item at -1',
      [{ op: 'replace', path: '/metadata/finalizers/-1', value: 'x.io/z' }],
      ['x.io/a', 'x.io/b', 'x.io/z'],
    ],
    [
      'removes the last item at -1',
      [{ op: 'remove', path: '/metadata/finalizers/-1' }],
      ['x.io/a', 'x.io/b'],
    ],
    [
      'appends at -1',
      [{ op: 'add', path: '/metadata/finalizers/-1', value: 'x.io/z' }],
      ['x.io/a', 'x.io/b', 'x.io/c', 'x.io/z'],
    ],
    [
      'tests the last item at -1',
      [{ op: 'test', path: '/metadata/finalizers/-1', value: 'x.io/c' }],
      ['x.io/a', 'x.io/b', 'x.io/c'],
    ],
    [
      'inserts at an index with a leading zero',
      [{ op: 'add', path: '/metadata/finalizers/01', value: 'x.io/z' }],
      ['x.io/a', 'x.io/z', 'x.io/b', 'x.io/c'],
    ],
  ] as const)
    it(`a JSON patch ${title}`, async () => {
      await using api = await RegistryFixture.open();
      const finalizers = ['x.io/a', 'x.io/b', 'x.io/c'];
      await api.post(cms, { ...configMap('a'), metadata: { name: 'a', finalizers } });
      const { status, json } = await api.patch(`${cms}/a`, operations, 'json');
      assert.equal(status, 200);
      assert.deepEqual(json.metadata.finalizers, expected);
    });

  it('a JSON patch tests that labels are absent with null, and replaces absent labels', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    for (const op of ['add', 'replace']) {
      const operations = [
        { op: 'test', path: '/metadata/labels', value: null },
        { op, path: '/metadata/labels', value: { q: '1' } },
      ];
      const { status, json } = await api.patch(`${cms}/a`, operations, 'json');
      assert.equal(status, 200);
      assert.deepEqual(json.metadata.labels, { q: '1' });
      assert.equal((await api.patch(`${cms}/a`, operations, 'json')).status, 422);
      await api.patch(`${cms}/a`, [{ op: 'remove', path: '/metadata/labels' }], 'json');
    }
  });

  it('a patch is applied to the latest state when other clients write concurrently', async () => {
    await using first = await RegistryFixture.open();
    await using second = await RegistryFixture.open({ store: first.model, seed: 2 });
    await first.post(cms, configMap('a', { n: '0' }));
    await second.settled();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? first : second).patch(`${cms}/a`, { data: { [`k${i}`]: 'v' } }),
      ),
    );
    assert.deepEqual(
      all.map(({ status }) => status),
      Array(12).fill(200),
    );
    assert.equal(Object.keys((await first.get(`${cms}/a`)).json.data).length, 13);
  });

  it('a patch with a resourceVersion, or a test of it, fails when the object has another version', async () => {
    await using api = await RegistryFixture.open();
    const { metadata } = (await api.post(cms, configMap('a'))).json;
    assert.equal(
      (
        await api.patch(`${cms}/a`, {
          metadata: { resourceVersion: metadata.resourceVersion },
          data: { k: '1' },
        })
      ).status,
      200,
    );
    assert.equal(
      (
        await api.patch(`${cms}/a`, {
          metadata: { resourceVersion: metadata.resourceVersion },
          data: { k: '2' },
        })
      ).status,
      409,
    );
    const test = { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion };
    assert.equal((await api.patch(`${cms}/a`, [test], 'json')).status, 422);
  });

  it('a patch cannot change the kind, the namespace or the uid', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    for (const [change, code] of [
      [{ kind: 'Secret' }, 422],
      [{ kind: 3 }, 422],
      [{ apiVersion: 'v2' }, 422],
      [{ metadata: { namespace: 'other' } }, 400],
      [{ metadata: { name: 'other' } }, 400],
      [{ metadata: { name: null } }, 400],
      [{ metadata: { name: 'other', uid: 'x' } }, 400],
      [{ metadata: { uid: 'x' } }, 422],
      [{ kind: null, apiVersion: null, metadata: { namespace: null, uid: null } }, 200],
    ] as const) {
      for (const type of ['merge', 'json'] as const) {
        const body = type === 'merge' ? change : operationsOf(change);
        const { status, text } = await api.patch(`${cms}/a`, body, type);
        assert.equal(status, code, `${type} ${JSON.stringify(body)}: ${text}`);
      }
    }
    const { json } = await api.get(`${cms}/a`);
    assert.deepEqual([json.kind, json.apiVersion, json.metadata.namespace], ['ConfigMap', 'v1', 'default']);
  });

  it('a strategic merge patch names any kind and version, on objects and subresources, without effect', async () => {
    await using api = await RegistryFixture.open();
    const path = '/apis/apps/v1/namespaces/default/deployments/d';
    const made = await api.post('/apis/apps/v1/namespaces/default/deployments', deployment('d'));
    assert.equal(made.status, 201, made.text);
    for (const type of [
      { kind: 'Deployment', apiVersion: 'apps/v1' },
      { kind: 'Secret' },
      { apiVersion: 'x/v2' },
    ])
      for (const below of ['', '/scale', '/status']) {
        const { status, json, text } = await strategic(api, `${path}${below}`, type);
        assert.equal(status, 200, `${below} ${JSON.stringify(type)}: ${text}`);
        assert.equal(json.kind, below === '/scale' ? 'Scale' : 'Deployment');
      }
    assert.equal((await strategic(api, path, { kind: 3 })).status, 422);
  });

  it('a merge patch of /scale that names the kind of the main object is refused with 422', async () => {
    await using api = await RegistryFixture.open();
    await api.post('/apis/apps/v1/namespaces/default/deployments', deployment('d'));
    const path = '/apis/apps/v1/namespaces/default/deployments/d/scale';
    const { status, json } = await api.patch(path, { kind: 'Deployment', spec: { replicas: 2 } });
    assert.equal(status, 422);
    assert.deepEqual(json.details.causes, [
      { reason: 'FieldValueInvalid', message: 'Invalid value: "Deployment": must be Scale', field: 'kind' },
    ]);
  });

  it('a patch with too many operations is refused with 413, and malformed patches with 400', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { k: 'v' }));
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k', value: 'v' }));
    assert.equal((await api.patch(`${cms}/a`, many, 'json')).status, 413);
    assert.equal((await api.patch(`${cms}/a`, '{"a":', 'merge')).status, 400);
    assert.equal((await api.patch(`${cms}/a`, '', 'merge')).status, 400);
  });
});
