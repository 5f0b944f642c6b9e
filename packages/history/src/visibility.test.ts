import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, type RequestParts, rbacAccess } from '@orch/registry/testing';
import type { ApiFixture } from '@orch/server/testing';
import { historyPrefixOf, prefixRange } from '@orch/storage';
import { type Listed, withHistory } from './testing/history-fixture.ts';

const admin = { headers: { 'x-user': 'root', 'x-groups': 'system:masters' } };
const jane = { headers: { 'x-user': 'jane' } };
const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

const open = (options = {}): Promise<ApiFixture> => withHistory({ accessOf: rbacAccess, ...options });

/** Grants jane a permission, in a namespace or everywhere. */
async function permit(api: ApiFixture, rule: object, namespace = 'default'): Promise<void> {
  const group = api.names.group('rbac');
  const isWide = namespace === '';
  const kind = isWide ? 'ClusterRole' : 'Role';
  const base = `/apis/${group}/v1${isWide ? '' : `/namespaces/${namespace}`}`;
  const name = 'jane';
  const rules = [{ apiGroups: [''], ...rule }];
  const role = await api.post(
    `${base}/${isWide ? 'clusterroles' : 'roles'}`,
    { metadata: { name }, rules },
    admin,
  );
  assert.equal(role.status, 201, role.text);
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: group, kind, name },
    subjects: [{ kind: 'User', apiGroup: group, name: 'jane' }],
  };
  const bound = await api.post(`${base}/${isWide ? 'clusterrolebindings' : 'rolebindings'}`, binding, admin);
  assert.equal(bound.status, 201, bound.text);
  await api.settled();
}

const statusFor = async (api: ApiFixture, path: string): Promise<number> =>
  (await api.get(`/history${path}`, jane)).status;

describe('the history for a user with few permissions', () => {
  it('the history for a user with few permissions is refused where reading the object is, in every spelling of the path', async () => {
    await using api = await open();
    await api.post(maps, configMap('a', { x: 'concealed' }), admin);
    for (const path of [
      `${maps}/a`,
      maps,
      '/api/v1/configmaps',
      `${maps}/a?at=1`,
      `${maps}/none`,
      `${maps}/`,
      '/api/v1/namespaces/default/%63onfigmaps/a',
    ]) {
      const answer = await api.get(`/history${path}`, jane);
      assert.equal(answer.status, 403, path);
      assert.doesNotMatch(answer.text, /concealed/);
    }
    for (const path of [
      '//history/api/v1/configmaps',
      '/hist%6fry/api/v1/configmaps',
      '/history//api/v1/configmaps',
    ])
      assert.ok([403, 404].includes((await api.get(path, jane)).status), path);
  });

  it('the history for a user with few permissions is empty for a resource in another store than namespaces', async () => {
    const isMap = (key: string): boolean => key.includes('/configmaps/');
    await using api = await open({
      areComparable: (key: string, other: string) => isMap(key) === isMap(other),
    });
    await permit(api, { resources: ['configmaps'], verbs: ['get', 'list'] });
    await api.post(maps, configMap('a', { x: 'concealed' }), admin);
    for (const [user, count] of [
      [jane, 0],
      [admin, 1],
    ] as const) {
      const { status, json } = await api.get(`/history${maps}/a`, user);
      assert.deepEqual([status, (json.changes as readonly Listed[]).length], [200, count]);
    }
  });

  it('the history for a user with few permissions is that of the one object that a role names, and no selector extends it', async () => {
    await using api = await open();
    await permit(api, { resources: ['configmaps'], resourceNames: ['a'], verbs: ['get', 'list', 'watch'] });
    for (const name of ['a', 'b']) await api.post(maps, configMap(name, { x: 'concealed' }), admin);
    assert.equal(await statusFor(api, `${maps}/a`), 200);
    assert.equal(await statusFor(api, `${maps}/b`), 403);
    assert.equal(await statusFor(api, maps), 403);
    for (const selector of [
      'fieldSelector=metadata.name=a',
      'fieldSelector=metadata.name%3Da',
      'labelSelector=x',
    ]) {
      const answer = await api.get(`/history${maps}?${selector}`, jane);
      assert.ok(answer.status === 400 || answer.status === 403, `${selector}: ${answer.status}`);
      assert.doesNotMatch(answer.text, /concealed/);
    }
  });

  it('the history for a user with few permissions requires the permission to list for a collection, and to get for an object', async () => {
    await using api = await open();
    await permit(api, { resources: ['configmaps'], verbs: ['list'] });
    await api.post(maps, configMap('a'), admin);
    assert.equal(await statusFor(api, maps), 200);
    assert.equal(await statusFor(api, '/api/v1/configmaps'), 403);
    assert.equal(await statusFor(api, `${maps}/a`), 403);
  });

  it('the history for a user with few permissions ends at the creation of the present namespace, unless the user may read all namespaces', async () => {
    await using api = await open();
    const there = '/api/v1/namespaces/team/configmaps';
    const create = async (x: string) => {
      await api.post('/api/v1/namespaces', { metadata: { name: 'team' } }, admin);
      await api.settled();
      return api.post(there, configMap('a', { x }), admin);
    };
    const old = await create('concealed');
    await api.delete(`${there}/a`, undefined, admin);
    const namespace = '/api/v1/namespaces/team';
    await api.delete(namespace, undefined, admin);
    await api.settled();
    const { json } = await api.get(namespace, admin);
    await api.put(`${namespace}/finalize`, { ...json, spec: { finalizers: [] } }, admin);
    await api.settled();
    await create('public');
    await permit(api, { resources: ['configmaps'], verbs: ['get', 'list'] }, 'team');
    const past = `?at=${old.json.metadata.resourceVersion}`;
    const states = async (user: RequestParts) =>
      Promise.all(
        ['', past].map(async (query) => (await api.get(`/history${there}/a${query}`, user)).status),
      );
    assert.deepEqual(await states(jane), [200, 404]);
    const list = async (user: RequestParts) => (await api.get(`/history${there}`, user)).json.changes.length;
    assert.equal(await list(jane), 1);
    assert.equal((await api.get(`/history${there}/a`, jane)).json.changes.length, 1);
    assert.deepEqual(await states(admin), [200, 200]);
    assert.equal(await list(admin), 3);
  });

  it('the history of a namespace begins with its present creation for a user whose permission is in the namespace', async () => {
    await using api = await open();
    const namespace = '/api/v1/namespaces/team';
    const create = (text: string) =>
      api.post('/api/v1/namespaces', { metadata: { name: 'team', annotations: { text } } }, admin);
    const earlier = (await create('concealed')).json.metadata.resourceVersion;
    await api.delete(namespace, undefined, admin);
    const { json } = await api.get(namespace, admin);
    await api.put(`${namespace}/finalize`, { ...json, spec: { finalizers: [] } }, admin);
    const present = await create('public');
    assert.equal(present.status, 201, present.text);
    await permit(api, { resources: ['namespaces'], verbs: ['get'] }, 'team');
    const listed = async (user: RequestParts) =>
      (await api.get(`/history${namespace}`, user)).json.changes.map(({ change }: Listed) => change);
    assert.deepEqual(await listed(jane), ['created']);
    assert.deepEqual(await listed(admin), ['created', 'deleted', 'updated', 'created']);
    const at = async (revision: string, user: RequestParts) => {
      const { status, text } = await api.get(`/history${namespace}?at=${revision}`, user);
      return [status, /concealed|public/.exec(text)?.[0]];
    };
    assert.deepEqual(await at(earlier, jane), [404, undefined]);
    assert.deepEqual(await at(earlier, admin), [200, 'concealed']);
    assert.deepEqual(await at(present.json.metadata.resourceVersion, jane), [200, 'public']);
    await api.delete(namespace, undefined, admin);
    assert.deepEqual(await listed(jane), ['updated', 'created']);
  });

  it('the history for a user with few permissions has no writes, watches or subresources, for any user', async () => {
    await using api = await open();
    await api.post(maps, configMap('a'), admin);
    for (const [method, path, status] of [
      ['DELETE', `${maps}/a`, 405],
      ['POST', maps, 405],
      ['PUT', `${maps}/a`, 405],
      ['GET', `${maps}?watch=1`, 400],
      ['GET', '/api/v1/watch/configmaps', 400],
      ['GET', '/api/v1/namespaces/default/pods/a/log', 404],
      ['GET', '/api/v1/namespaces/default/services/a/proxy/x', 404],
      ['GET', '/api/v1/namespaces/default/nodes/n', 404],
      ['GET', '/apis/absent.example.com/v1/things', 404],
    ] as const)
      assert.equal((await api.send(method, `/history${path}`, admin)).status, status, `${method} ${path}`);
    assert.equal((await api.get(`${maps}/a`, admin)).status, 200);
  });
});

describe('the history of objects with credentials', () => {
  const secret = { metadata: { name: 's' }, stringData: { password: 'concealed' } };
  const stored = async (api: ApiFixture): Promise<string> => {
    const { signal } = new AbortController();
    const { items } = await api.model.list(prefixRange(historyPrefixOf('/registry/')), {}, signal);
    return items.map(({ key, value }) => `${key} ${value}`).join('\n');
  };

  it('the history of objects with credentials is not kept without encryption at rest, and says why', async () => {
    await using api = await open();
    await api.post(secrets, secret, admin);
    await api.patch(`${secrets}/s`, { stringData: { password: 'changed' } }, 'merge', admin);
    await api.delete(`${secrets}/s`, undefined, admin);
    assert.doesNotMatch(await stored(api), /secrets\/|password|Y29uY2VhbGVk/);
    const refused = await api.get(`/history${secrets}/s`, admin);
    assert.equal(refused.status, 400);
    assert.equal(
      refused.json.message,
      'no history is kept of secrets: objects with credentials are recorded only while they are encrypted at rest',
    );
    assert.equal(await statusFor(api, `${secrets}/s`), 403);
  });

  it('the history of objects with credentials is kept while their values are encrypted', async () => {
    let on = true;
    const isEncrypted = (key: string): boolean => on && key.startsWith('/registry~history/secrets/');
    await using api = await open({ isEncrypted });
    const created = await api.post(secrets, secret, admin);
    await api.patch(`${secrets}/s`, { stringData: { password: 'changed' } }, 'merge', admin);
    const at = `/history${secrets}/s?at=${created.json.metadata.resourceVersion}`;
    assert.deepEqual((await api.get(at, admin)).json, created.json);
    assert.equal((await api.get(at, jane)).status, 403);
    on = false;
    const before = await stored(api);
    await api.delete(`${secrets}/s`, undefined, admin);
    assert.equal(await stored(api), before);
  });

  it('the history of objects with credentials is not kept for events either, which expire', async () => {
    await using api = await open();
    const events = '/api/v1/namespaces/default/events';
    await api.post(
      events,
      { metadata: { name: 'e', namespace: 'default' }, involvedObject: { namespace: 'default' } },
      admin,
    );
    assert.equal((await api.get(`/history${events}/e`, admin)).status, 400);
    assert.doesNotMatch(await stored(api), /events\//);
  });
});
