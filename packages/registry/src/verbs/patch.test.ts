import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

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
    for (const change of [{ kind: 'Secret' }, { apiVersion: 'v2' }, { metadata: { namespace: 'other' } }]) {
      assert.equal((await api.patch(`${cms}/a`, change)).status, 400);
    }
    assert.equal((await api.patch(`${cms}/a`, { metadata: { uid: 'x' } })).status, 409);
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
