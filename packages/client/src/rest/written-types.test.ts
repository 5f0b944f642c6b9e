import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStatus } from '../errors/guards.ts';
import { testClient } from '../testing/index.ts';
import { builtinResources } from '../types/builtin-resources.ts';
import type { Pod } from '../types/core.ts';

describe('the types of what programs write', () => {
  const { client } = testClient();
  const { configmaps, pods } = builtinResources(client.names).core.v1;
  const maps = client.resource(configmaps, 'default');

  it('patches and applied objects have the fields of their kind, and each kind of patch its own nulls', async () => {
    await maps.create({ metadata: { name: 'a' }, data: { x: '1', y: '2' } });
    const { data } = await maps.patch.merge('a', { data: { x: null } });
    assert.deepEqual(data, { y: '2' });
    // @ts-expect-error A config map has no such field.
    await maps.patch.merge('a', { dataa: {} });
    const calls = client.resource(pods, 'default').patch;
    const unsent = [
      // @ts-expect-error The type of the field is another one.
      () => calls.merge('a', { spec: { nodeName: 1 } }),
      () => calls.strategic('a', { spec: { containers: [{ name: 'b', image: 'c' }, { $patch: 'delete' }] } }),
      () => calls.apply('a', { spec: { containers: [{ name: 'b' }] } }, { fieldManager: 'test' }),
      // @ts-expect-error An item of a list has the key of the list.
      () => calls.apply('a', { spec: { containers: [{ image: 'c' }] } }, { fieldManager: 'test' }),
      () => {
        // A key with a default can be left out.
        const ports = [{ containerPort: 80 }];
        return calls.apply('a', { spec: { containers: [{ name: 'b', ports }] } }, { fieldManager: 'test' });
      },
      // @ts-expect-error A manager gives up a field by leaving it out.
      () => calls.apply('a', { spec: { nodeName: null } }, { fieldManager: 'test' }),
    ];
    assert.equal(unsent.length, 6);
  });

  it('the answer to a deletion is the object or a Status, as a guard tells', async () => {
    await maps.create({ metadata: { name: 'b' } });
    const answer = await maps.delete('b');
    if (isStatus(answer)) assert.equal(answer.status, 'Success');
    else assert.equal(answer.metadata.name, 'b');
  });

  it('a subresource has the type of its own objects', () => {
    const { deployments } = builtinResources(client.names).apps.v1;
    const objects = client.resource(deployments, 'default');
    const unsent = [
      async () => (await objects.subresource('scale').get('a')).spec?.replicas satisfies number | undefined,
      async () =>
        (await objects.subresource('status').get('a')).status?.readyReplicas satisfies number | undefined,
      // @ts-expect-error A scale has no template.
      async () => (await objects.subresource('scale').get('a')).spec?.template,
    ];
    assert.equal(unsent.length, 3);
  });

  it('an enumeration has its values, and accepts those of later releases', () => {
    type Policy = NonNullable<NonNullable<Pod['spec']>['dnsPolicy']>;
    const known: Policy = 'ClusterFirst';
    const later: Policy = 'OfALaterRelease';
    const first: 'ClusterFirst' extends Policy ? (string extends Policy ? true : false) : never = true;
    assert.deepEqual([known, later, first], ['ClusterFirst', 'OfALaterRelease', true]);
  });
});
