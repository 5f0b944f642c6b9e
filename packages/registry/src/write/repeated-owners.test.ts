import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const controller = { ...owner, controller: true };
const warning = (...uids: readonly string[]): readonly string[] => [
  `299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}"`,
];

describe('owners that are given more than once', () => {
  it('create keeps one of equal owners, and warns', async () => {
    await using api = await RegistryFixture.open();
    const ownerReferences = [owner, controller, owner, { ...owner, uid: 'v' }, owner];
    const created = await api.post(maps, configMap('a', {}, { ownerReferences }));
    assert.equal(created.status, 201);
    assert.deepEqual(created.json.metadata.ownerReferences, [owner, controller, { ...owner, uid: 'v' }]);
    assert.deepEqual(created.headers['Warning'], warning('u', 'u'));
  });

  it('update and patch keep one of equal owners, and warn', async () => {
    await using api = await RegistryFixture.open();
    await api.post(maps, configMap('a'));
    const updated = await api.put(`${maps}/a`, configMap('a', {}, { ownerReferences: [owner, owner] }));
    assert.deepEqual(updated.json.metadata.ownerReferences, [owner]);
    assert.deepEqual(updated.headers['Warning'], warning('u'));
    const patched = await api.patch(
      `${maps}/a`,
      [{ op: 'add', path: '/metadata/ownerReferences/-', value: owner }],
      'json',
    );
    assert.deepEqual(patched.json.metadata.ownerReferences, [owner]);
    assert.deepEqual(patched.headers['Warning'], warning('u'));
  });

  it('the warning about many owners is cut', async () => {
    await using api = await RegistryFixture.open();
    const ownerReferences = Array.from({ length: 2000 }, (_, i) => ({ ...owner, uid: `uid-${i >> 1}` }));
    const { json, headers } = await api.post(maps, configMap('a', {}, { ownerReferences }));
    assert.equal(json.metadata.ownerReferences.length, 1000);
    const [header = ''] = headers['Warning'] ?? [];
    assert.match(header, /observed: uid-0, uid-1, /);
    assert.equal(header.length, '299 - ""'.length + 256);
  });

  it('different owners with the same uid are kept without a warning', async () => {
    await using api = await RegistryFixture.open();
    const ownerReferences = [owner, { ...owner, blockOwnerDeletion: false }];
    const { json, headers } = await api.post(maps, configMap('a', {}, { ownerReferences }));
    assert.deepEqual([json.metadata.ownerReferences, headers['Warning']], [ownerReferences, undefined]);
  });
});

describe('a write of a field that is not stored', () => {
  for (const [release, found] of [
    [
      '1.24',
      '299 - "metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25"',
    ],
    ['1.25', '299 - "unknown field \\"metadata.clusterName\\""'],
  ] as const) {
    it(`a write with metadata.clusterName is answered without it and with a warning in ${release}`, async () => {
      await using api = await RegistryFixture.open({ release });
      const created = await api.post(maps, configMap('a', {}, { clusterName: 'x' }));
      assert.deepEqual([created.status, created.json.metadata.clusterName], [201, undefined]);
      assert.deepEqual(created.headers['Warning'], [found]);
      const updated = await api.put(`${maps}/a`, configMap('a', { k: 'v' }, { clusterName: 'x' }));
      assert.deepEqual(updated.headers['Warning'], [found]);
    });
  }
});
