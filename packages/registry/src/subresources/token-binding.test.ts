import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pod } from '../testing/objects.ts';
import type { RegistryFixture } from '../testing/registry-fixture.ts';
import {
  accounts,
  tokenRequestKind as kind,
  openTokenApi as open,
  tokenPath as path,
  reviewToken as review,
} from '../testing/token-api.ts';

const nodes = '/api/v1/nodes';
const pods = '/api/v1/namespaces/default/pods';
const prefix = 'authentication.orch.io';

const requestToken = (api: RegistryFixture, boundObjectRef: object, metadata: object = {}) =>
  api.post(path, { ...kind, metadata, spec: { boundObjectRef: { apiVersion: 'v1', ...boundObjectRef } } });

async function withNode(api: RegistryFixture, name = 'n1'): Promise<string> {
  const made = await api.post(nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name } });
  assert.equal(made.status, 201, made.text);
  return made.json.metadata.uid;
}

const ownClaims = (token: string) => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { id: claims.jti, ...claims['orch.io'] };
};

const extraOf = async (api: RegistryFixture, token: string) =>
  (await review(api, token)).json.status.user.extra;

describe('tokens and nodes', () => {
  it('a token of a pod names the node of the pod and outlives it, from release 1.30 on', async () => {
    await using api = await open({ release: '1.30' });
    const uid = await withNode(api);
    const made = await api.post(pods, pod('web', { serviceAccountName: 'robot', nodeName: 'n1' }));
    const { token } = (await requestToken(api, { kind: 'Pod', name: 'web' })).json.status;
    const { node, id } = ownClaims(token);
    assert.deepEqual(node, { name: 'n1', uid });
    const expected = {
      [`${prefix}/credential-id`]: [`JTI=${id}`],
      [`${prefix}/node-name`]: ['n1'],
      [`${prefix}/node-uid`]: [uid],
      [`${prefix}/pod-name`]: ['web'],
      [`${prefix}/pod-uid`]: [made.json.metadata.uid],
    };
    assert.deepEqual(await extraOf(api, token), expected);
    await api.delete(`${nodes}/n1`);
    assert.deepEqual(await extraOf(api, token), expected);
  });

  it('a token of a pod on a node that does not exist names the node without a uid', async () => {
    await using api = await open({ release: '1.34' });
    await api.post(pods, pod('web', { serviceAccountName: 'robot', nodeName: 'n1' }));
    const { token } = (await requestToken(api, { kind: 'Pod', name: 'web' })).json.status;
    assert.deepEqual(ownClaims(token).node, { name: 'n1' });
    const extra = await extraOf(api, token);
    assert.deepEqual([extra[`${prefix}/node-name`], extra[`${prefix}/node-uid`]], [['n1'], undefined]);
  });

  it('a token of a pod without a node names none', async () => {
    await using api = await open({ release: '1.34' });
    await api.post(pods, pod('web', { serviceAccountName: 'robot' }));
    const { token } = (await requestToken(api, { kind: 'Pod', name: 'web' })).json.status;
    assert.equal(ownClaims(token).node, undefined);
  });

  for (const release of ['1.24', '1.29'] as const) {
    it(`a token of a pod has neither an id nor a node in ${release}`, async () => {
      await using api = await open({ release });
      await withNode(api);
      await api.post(pods, pod('web', { serviceAccountName: 'robot', nodeName: 'n1' }));
      const { token } = (await requestToken(api, { kind: 'Pod', name: 'web' })).json.status;
      assert.deepEqual(Object.keys(ownClaims(token)).sort(), ['id', 'namespace', 'pod', 'serviceaccount']);
      assert.equal(ownClaims(token).id, undefined);
      assert.deepEqual(Object.keys(await extraOf(api, token)).sort(), [
        `${prefix}/pod-name`,
        `${prefix}/pod-uid`,
      ]);
    });
  }

  it('a token that is bound to a node is valid until the node is deleted, also if it returns', async () => {
    await using api = await open({ release: '1.31' });
    const uid = await withNode(api);
    const answer = await requestToken(api, { kind: 'Node', name: 'n1', uid });
    assert.equal(answer.status, 201, answer.text);
    const { token } = answer.json.status;
    assert.deepEqual(ownClaims(token).node, { name: 'n1', uid });
    const extra = await extraOf(api, token);
    assert.deepEqual([extra[`${prefix}/node-name`], extra[`${prefix}/node-uid`]], [['n1'], [uid]]);
    await api.delete(`${nodes}/n1`);
    assert.equal((await review(api, token)).json.status.authenticated, undefined);
    await withNode(api);
    assert.equal((await review(api, token)).json.status.authenticated, undefined);
  });

  for (const [what, release, ref, status, message] of [
    ['a node in 1.28', '1.28', { kind: 'Node', name: 'n1' }, 400, /neither a pod nor a secret$/],
    ['a node in 1.30', '1.30', { kind: 'Node', name: 'n1' }, 400, /"ServiceAccountTokenNodeBinding" feature/],
    ['a node of another group', '1.31', { kind: 'Node', name: 'n1', apiVersion: 'x/v1' }, 400, /nor a node$/],
    ['a node that does not exist', '1.31', { kind: 'Node', name: 'n2' }, 404, /nodes "n2" not found/],
    ['a node with the uid of another', '1.31', { kind: 'Node', name: 'n1', uid: 'x' }, 409, /UID in record/],
    ['a node by a path', '1.31', { kind: 'Node', name: '../n1' }, 404, /not found/],
  ] as const) {
    it(`a request for a token that is bound to ${what} gets ${status}`, async () => {
      await using api = await open({ release });
      await withNode(api);
      const answer = await requestToken(api, ref);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json.message, message);
    });
  }
});

describe('the uid of a token request', () => {
  it('a token request for a recreated account gets 409 from release 1.34 on', async () => {
    await using api = await open({ release: '1.34' });
    const { uid } = (await api.get(`${accounts}/robot`)).json.metadata;
    const same = await api.post(path, { ...kind, metadata: { uid }, spec: {} });
    assert.deepEqual([same.status, same.json.metadata.uid], [201, uid]);
    const none = await api.post(path, { ...kind, spec: {} });
    assert.deepEqual([none.status, none.json.metadata.uid], [201, uid]);
    const other = await api.post(path, { ...kind, metadata: { uid: 'former' }, spec: {} });
    assert.equal(other.status, 409);
    assert.match(other.json.message, /does not match the UID of the service account/);
    assert.ok(!other.text.includes('former'));
  });

  it('a token request with another uid gets a warning when its check is disabled', async () => {
    await using api = await open({ release: '1.34', features: { tokenRequestUidChecks: false } });
    const answer = await api.post(path, { ...kind, metadata: { uid: 'former' }, spec: {} });
    assert.equal(answer.status, 201);
    assert.match(String(answer.headers['Warning']), /does not match the UID of the service account/);
  });

  it('a token request with another uid is answered in release 1.33', async () => {
    await using api = await open({ release: '1.33' });
    const answer = await api.post(path, { ...kind, metadata: { uid: 'former' }, spec: {} });
    assert.deepEqual([answer.status, answer.headers['Warning']], [201, undefined]);
  });
});
