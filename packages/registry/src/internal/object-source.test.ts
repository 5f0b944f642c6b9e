import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeJson } from '@orch/machinery/json';
import { RegistryFixture } from '../testing/index.ts';
import { objectSource } from './object-source.ts';

const { signal } = new AbortController();

/** The role of the source after another program has stored it with these rules. */
async function roleStoredWith(rules: unknown) {
  await using fixture = await RegistryFixture.open();
  const { store, cache, names } = fixture;
  const prefix = cache.resource('clusterroles.rbac')?.resource.prefix;
  const apiVersion = names.apiVersion('rbac', 'v1');
  const value = encodeJson({ kind: 'ClusterRole', apiVersion, metadata: { name: 'foreign' }, rules });
  await store.commit({ op: 'create', key: `${prefix}foreign`, value }, signal);
  const source = objectSource(cache);
  await source.fresh(signal);
  return source.get('clusterroles.rbac', '', 'foreign');
}

describe('the source of objects for authenticators and authorizers', () => {
  it('a role that another program stored with a null rule has an empty rule, which allows nothing', async () => {
    const role = await roleStoredWith([
      null,
      { verbs: [null, 'get'], resources: ['pods'], resourceNames: null },
    ]);
    assert.deepEqual(role?.rules, [{ verbs: null }, { verbs: ['', 'get'], resources: ['pods'] }]);
  });

  it('a role that another program stored with a rule of a wrong type is absent', async () => {
    assert.equal(await roleStoredWith([{ verbs: 'get', apiGroups: {}, resources: null }]), undefined);
  });

  it('a role that another program stored as its types require is read as it stands', async () => {
    const rules = [{ verbs: null, apiGroups: ['apps'], resources: ['deployments'] }];
    assert.deepEqual((await roleStoredWith(rules))?.rules, rules);
    assert.equal((await roleStoredWith(null))?.rules, null);
  });
});
