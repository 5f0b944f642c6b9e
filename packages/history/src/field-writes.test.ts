import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { configMap, type RequestParts, rbacAccess } from '@orch/registry/testing';
import { type ApiFixture, as, bindRole, root, textsOf } from '@orch/server/testing';
import { withHistory } from './testing/history-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

/** The explanation of a field of an object in the namespace default. */
async function explained(
  api: ApiFixture,
  { resource = 'configmaps', name = 'shared', field = '.data.a', group = '' },
  user: RequestParts,
): Promise<string> {
  const query = new URLSearchParams({ group, resource, namespace: 'default', name, field });
  return textsOf(await api.get(`/why/object?${query}`, user));
}

async function changed(api: ApiFixture, path: string, patch: object, user: string): Promise<string> {
  const headers = { 'x-user': user, 'x-groups': 'system:masters' };
  const { status, json, text } = await api.patch(path, patch, 'merge', { headers });
  assert.equal(status, 200, text);
  return json.metadata.resourceVersion;
}

const may = (api: ApiFixture, user: string, resources: readonly string[], verb = 'get') =>
  bindRole(api, { role: `reader-${user}`, user, rules: [{ verbs: [verb], apiGroups: [''], resources }] });

describe('explanations of fields where a history is kept', () => {
  let api: ApiFixture;
  let written: string;
  before(async () => {
    api = await withHistory({ accessOf: rbacAccess });
    await api.post(maps, configMap('shared', { a: '0', kept: 'x' }), root);
    written = await changed(api, `${maps}/shared`, { data: { a: '1' } }, 'ann');
    for (const value of ['1', '2', '3']) await changed(api, `${maps}/shared`, { data: { b: value } }, 'bob');
    await changed(
      api,
      `${maps}/shared`,
      { data: { c: null, kept: 'x' }, metadata: { labels: { c: 'd' } } },
      'eve',
    );
    await may(api, 'carl', ['configmaps']);
    await bindRole(api, { role: 'system:explanation-viewer', user: 'dave', rules: [], isClusterWide: true });
    await api.settled();
  });
  after(() => api[Symbol.asyncDispose]());

  it('the write of a field is that of the user who last changed it, not that of later writes of other fields', async () => {
    const text = await explained(api, {}, as('carl'));
    assert.match(
      text,
      new RegExp(`^Write: the user "ann" wrote it at 2024.*, resourceVersion ${written}$`, 'm'),
    );
    assert.doesNotMatch(text, /"bob"|"eve"/);
  });

  it('a field that was never changed was written by the creation of the object', async () => {
    assert.match(await explained(api, { field: '.data.kept' }, as('carl')), /^Write: the user "root"/m);
  });

  it('a field with parts was written by the latest change of one of them', async () => {
    assert.match(await explained(api, { field: '.data' }, as('carl')), /^Write: the user "bob"/m);
  });

  it('a field that the object never had has no write', async () => {
    assert.doesNotMatch(await explained(api, { field: '.data.none' }, as('carl')), /Write/);
  });

  it('the removal of a field is named as its write', async () => {
    await changed(api, `${maps}/shared`, { data: { d: 'x' } }, 'bob');
    await changed(api, `${maps}/shared`, { data: { d: null } }, 'ann');
    assert.match(await explained(api, { field: '.data.d' }, as('carl')), /^Write: the user "ann"/m);
  });

  it('an impersonated user is named with the user who acted', async () => {
    const headers = {
      'x-user': 'root',
      'x-groups': 'system:masters',
      'impersonate-user': 'ann',
      'impersonate-group': 'system:masters',
    };
    const { status, text } = await api.patch(`${maps}/shared`, { data: { i: 'x' } }, 'merge', { headers });
    assert.equal(status, 200, text);
    assert.match(
      await explained(api, { field: '.data.i' }, as('carl')),
      /^Write: the user "ann", impersonated by "root", wrote it/m,
    );
  });

  it('a user without permission to read the object does not learn who wrote its fields', async () => {
    const query = 'resource=configmaps&namespace=default&name=shared&field=.data.a';
    const answer = await api.get(`/why/object?${query}`, as('dave'));
    assert.equal(answer.status, 403);
    assert.doesNotMatch(answer.text, /"ann|Write/);
  });

  it('the writes of a secret are not named where the history does not record them', async () => {
    await api.post(secrets, { metadata: { name: 's' }, stringData: { a: '1' } }, root);
    await may(api, 'sam', ['secrets']);
    await api.settled();
    const text = await explained(api, { resource: 'secrets', name: 's' }, as('sam'));
    assert.match(text, /^Manager/);
    assert.doesNotMatch(text, /Write|root/);
  });
});

describe('explanations of fields of objects that were recorded in part', () => {
  it('the writes of an encrypted secret are named', async () => {
    await using api = await withHistory({ accessOf: rbacAccess, isEncrypted: () => true });
    await api.post(secrets, { metadata: { name: 's' }, stringData: { a: '1' } }, root);
    await may(api, 'sam', ['secrets']);
    await api.settled();
    assert.match(
      await explained(api, { resource: 'secrets', name: 's' }, as('sam')),
      /^Write: the user "root" wrote it at .*resourceVersion/m,
    );
  });

  it('writes of an earlier object of the same name are not attributed to the present one', async () => {
    await using api = await withHistory({ accessOf: rbacAccess });
    await api.post(maps, configMap('shared', { a: '1' }), root);
    await api.delete(`${maps}/shared`, undefined, root);
    await api.post(maps, configMap('shared', { b: '1' }), root);
    await may(api, 'carl', ['configmaps']);
    await api.settled();
    assert.doesNotMatch(await explained(api, {}, as('carl')), /Write/);
    assert.match(await explained(api, { field: '.data.b' }, as('carl')), /^Write: the user "root"/m);
  });
});
