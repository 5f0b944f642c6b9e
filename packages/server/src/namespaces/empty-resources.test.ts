import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crontab, defineCronTabs, GROUP } from '@orch/custom-resources/testing';
import { ApiFixture, openWithRbac } from '../testing/index.ts';
import { configMap, configMaps, overwrite } from '../testing/unreadable-objects.ts';

const path = '/empty-resources?namespace=default';

const empty = async (api: ApiFixture): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { status, json } = await api.get(path);
  assert.equal(status, 200);
  assert.equal(json.namespace, 'default');
  return new Map(Object.entries(json.empty));
};

describe('resources without objects in a namespace', () => {
  it('namespaced resources without objects in the namespace are named in every version, and no others', async () => {
    await using api = await ApiFixture.open();
    await api.post(configMaps, configMap('a'));
    await api.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    await api.post('/api/v1/namespaces/other/secrets', { metadata: { name: 'a' } });
    const named = await empty(api);
    assert.ok(named.get('v1')?.includes('secrets'), 'a secret of another namespace does not count');
    assert.ok(!named.get('v1')?.includes('configmaps'));
    assert.ok(!named.get('v1')?.includes('namespaces'));
    for (const version of ['autoscaling/v1', 'autoscaling/v2'])
      assert.deepEqual(named.get(version), ['horizontalpodautoscalers']);
  });

  it('a namespace is empty without any objects, and only while everything that could have some is known', async () => {
    await using api = await defineCronTabs(await ApiFixture.open());
    const isEmpty = async (): Promise<unknown> =>
      (await api.get('/empty-resources?namespace=made')).json.isEmpty;
    await api.post('/api/v1/namespaces', { metadata: { name: 'made' } });
    const before = await api.get('/empty-resources?namespace=made');
    assert.deepEqual([before.json.isEmpty, before.json.empty], [true, {}]);
    const tabs = `/apis/${GROUP}/v1/namespaces/made/crontabs`;
    for (const path of ['/api/v1/namespaces/made/configmaps', tabs]) {
      const created = await api.post(path, path === tabs ? crontab('a') : { metadata: { name: 'a' } });
      assert.equal(created.status, 201, created.text);
      assert.equal(await isEmpty(), false, path);
      await api.delete(`${path}/a`);
      assert.equal(await isEmpty(), true, path);
    }
    const services = `/apis/${api.names.group('apiregistration')}/v1/apiservices`;
    const spec = { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10 };
    const service = { name: 'other', namespace: 'default' };
    const created = await api.post(services, {
      metadata: { name: 'v1.other.example.com' },
      spec: { ...spec, service, insecureSkipTLSVerify: true },
    });
    assert.equal(created.status, 201, created.text);
    assert.equal(await isEmpty(), false, 'an extension API server may have objects');
    await api.delete(`${services}/v1.other.example.com`);
    assert.equal(await isEmpty(), true);
    await overwrite(api, `customresourcedefinitions.apiextensions/crontabs.${GROUP}`, Buffer.from('{'));
    assert.equal(await isEmpty(), false, 'a definition that cannot be read may have objects');
  });

  it('an answer contains every write before the request', async () => {
    await using api = await ApiFixture.open();
    for (let i = 0; i < 20; i++) {
      await api.post(configMaps, { metadata: { name: 'a' } });
      assert.equal((await api.get(path)).json.isEmpty, false);
      await api.delete(`${configMaps}/a`);
      assert.equal((await api.get(path)).json.isEmpty, true);
    }
  });

  it('a resource with an object that cannot be read is not named', async () => {
    await using api = await ApiFixture.open();
    await api.post(configMaps, configMap('bad'));
    await overwrite(api, 'configmaps/default/bad', Buffer.from('{'));
    assert.ok(!(await empty(api)).get('v1')?.includes('configmaps'));
  });

  it('the answer is not complete while a definition cannot be read', async () => {
    await using api = await defineCronTabs(await ApiFixture.open());
    await api.post(configMaps, configMap('a'));
    const answer = await api.get(path);
    assert.equal(answer.json.isComplete, true);
    assert.deepEqual(answer.json.empty[`${GROUP}/v1`], ['crontabs']);
    await overwrite(api, `customresourcedefinitions.apiextensions/crontabs.${GROUP}`, Buffer.from('{'));
    assert.equal((await api.get(path)).json.isComplete, false);
  });

  it('a request without the name of a namespace is refused', async () => {
    await using api = await ApiFixture.open();
    for (const query of ['', '?namespace=', '?namespace=a%2Fb'])
      assert.equal((await api.get(`/empty-resources${query}`)).status, 400, query);
  });

  it('only the permission for the path gives the answer', async () => {
    await using api = await openWithRbac();
    const as = (user: string) => ({ headers: { 'x-user': user, 'x-groups': 'system:authenticated' } });
    assert.equal((await api.get(path, as('jane'))).status, 403);
    const controller = `system:serviceaccount:${api.names.namespaces.system}:namespace-controller`;
    assert.equal((await api.get(path, as(controller))).status, 200);
  });
});
