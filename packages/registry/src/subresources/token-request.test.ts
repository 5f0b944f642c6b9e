import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import {
  accounts,
  audience,
  tokenRequestKind as kind,
  openTokenApi as open,
  tokenPath as path,
  reviewToken as review,
} from '../testing/token-api.ts';

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('token requests', () => {
  it('a token request returns its spec with defaults and a valid token', async () => {
    await using api = await open();
    const answer = await api.post(path, { ...kind, spec: {} });
    assert.equal(answer.status, 201);
    const { status, ...rest } = answer.json;
    assert.deepEqual(rest, {
      ...kind,
      metadata: { name: 'robot', namespace: 'default', creationTimestamp: '2024-01-01T00:00:00Z' },
      spec: { audiences: [audience], expirationSeconds: 3600, boundObjectRef: null },
    });
    assert.equal(status.expirationTimestamp, '2024-01-01T01:00:00Z');
    const account = (await api.get(`${accounts}/robot`)).json;
    assert.deepEqual(claimsOf(status.token)['orch.io'], {
      namespace: 'default',
      serviceaccount: { name: 'robot', uid: account.metadata.uid },
    });
    const headers = { authorization: `Bearer ${status.token}` };
    assert.equal((await api.get(`${accounts}/robot`, { headers })).status, 200);
    await api.delete(`${accounts}/robot`);
    assert.equal((await api.get(accounts, { headers })).status, 401);
  });

  it('a token request is served in Protobuf and YAML', async () => {
    await using api = await open();
    for (const accept of ['application/vnd.orch.protobuf', 'application/yaml']) {
      const answer = await api.post(path, { ...kind, spec: {} }, { accept });
      assert.deepEqual([answer.status, answer.headers['Content-Type']], [201, accept]);
      assert.match(answer.text, /eyJ/);
    }
  });

  it('a dry run of a token request returns no token', async () => {
    await using api = await open();
    const answer = await api.post(`${path}?dryRun=All`, { ...kind, spec: {} });
    assert.deepEqual([answer.status, answer.json.status.token], [201, '']);
  });

  it('a token request with a shortened lifetime gets a warning', async () => {
    await using api = await open({ maxSeconds: 3600 });
    const answer = await api.post(path, { ...kind, spec: { expirationSeconds: 7200 } });
    assert.equal(answer.json.spec.expirationSeconds, 3600);
    assert.equal(answer.json.status.expirationTimestamp, '2024-01-01T01:00:00Z');
    assert.match(String(answer.headers['Warning']), /requested expiration of 7200 seconds shortened to 3600/);
  });

  for (const [what, body, status, message] of [
    ['ten seconds', { spec: { expirationSeconds: 10 } }, 422, /spec.expirationSeconds/],
    ['nearly ten minutes', { spec: { expirationSeconds: 599 } }, 422, /spec.expirationSeconds/],
    ['ten minutes', { spec: { expirationSeconds: 600 } }, 201, /./],
    ['longer than there is time', { spec: { expirationSeconds: 4294967297 } }, 422, /spec.expirationSeconds/],
    ['half a second', { spec: { expirationSeconds: 900.5 } }, 400, /expirationSeconds/],
    ['no time', { spec: { expirationSeconds: null } }, 201, /./],
    [
      'a bond to another kind',
      { spec: { boundObjectRef: { kind: 'Foo', name: 'x', apiVersion: 'v1' } } },
      400,
      /cannot bind token to an object that is neither a pod nor a secret/,
    ],
    [
      'a bond to another group',
      { spec: { boundObjectRef: { kind: 'Pod', name: 'x', apiVersion: 'apps/v1' } } },
      400,
      /cannot bind token to an object that is neither a pod nor a secret/,
    ],
    ['a bond to nothing', { spec: { boundObjectRef: {} } }, 400, /cannot bind token/],
    [
      'a bond to a pod that is not there',
      { spec: { boundObjectRef: { kind: 'Pod', name: 'nope', apiVersion: 'v1' } } },
      404,
      /nope.* not found/,
    ],
    [
      'a bond to a secret that is not there',
      { spec: { boundObjectRef: { kind: 'Secret', name: 'nope', apiVersion: 'v1' } } },
      404,
      /nope.* not found/,
    ],
    [
      'a bond out of the namespace',
      { spec: { boundObjectRef: { kind: 'Secret', name: '../kube-system/x', apiVersion: 'v1' } } },
      404,
      /not found/,
    ],
    ['an audience without a name', { spec: { audiences: [''] } }, 422, /spec.audiences\[0\]/],
    [
      'another account',
      { metadata: { name: 'other' }, spec: {} },
      422,
      /must match the service account name if specified/,
    ],
    [
      'another namespace',
      { metadata: { namespace: 'other' }, spec: {} },
      400,
      /does not match that of the request/,
    ],
    ['its own account', { metadata: { name: 'robot', namespace: 'default' }, spec: {} }, 201, /./],
    ['another kind', { kind: 'TokenReview', spec: {} }, 400, /./],
  ] as const) {
    it(`a token request for ${what} gets ${status}`, async () => {
      await using api = await open();
      const answer = await api.post(path, { ...kind, ...body });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, message);
    });
  }

  it('a token request needs an existing account and a signing key', async () => {
    await using api = await open();
    const missing = await api.post(`${accounts}/missing/token`, { ...kind, spec: {} });
    assert.deepEqual([missing.status, missing.json.message], [404, 'serviceaccounts "missing" not found']);
    assert.equal((await api.get(path)).status, 405);
    await using keyless = await RegistryFixture.open();
    assert.equal((await keyless.post(path, { ...kind, spec: {} })).status, 404);
  });
});

describe('tokens bound to an object', () => {
  const podPath = '/api/v1/namespaces/default/pods';
  it('a token bound to a pod requires a pod of the account, and becomes invalid with it', async () => {
    await using api = await open();
    const made = await api.post(podPath, pod('web', { serviceAccountName: 'robot' }));
    await api.post(podPath, pod('foreign', { serviceAccountName: 'other' }));
    const requestToken = (name: string, uid?: string) =>
      api.post(path, {
        ...kind,
        spec: {
          boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, ...(uid === undefined ? {} : { uid }) },
        },
      });
    const foreign = await requestToken('foreign');
    assert.equal(foreign.status, 400);
    assert.match(foreign.json.message, /pod running with different serviceaccount name/);
    const { uid } = made.json.metadata;
    assert.equal((await requestToken('web', 'another')).status, 409);
    const answer = await requestToken('web', uid);
    assert.deepEqual(answer.json.spec.boundObjectRef, { kind: 'Pod', apiVersion: 'v1', name: 'web', uid });
    const { token } = answer.json.status;
    const { user } = (await review(api, token)).json.status;
    assert.deepEqual(user.extra, {
      'authentication.orch.io/pod-name': ['web'],
      'authentication.orch.io/pod-uid': [uid],
    });
    await api.delete(`${podPath}/web?gracePeriodSeconds=0`);
    assert.equal((await review(api, token)).json.status.authenticated, undefined);
    await api.post(podPath, pod('web', { serviceAccountName: 'robot' }));
    assert.equal((await review(api, token)).json.status.authenticated, undefined);
  });

  it('a token bound to a secret becomes invalid with it', async () => {
    await using api = await open();
    const secrets = '/api/v1/namespaces/default/secrets';
    await api.post(secrets, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' } });
    const answer = await api.post(path, {
      ...kind,
      spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } },
    });
    const { token } = answer.json.status;
    assert.equal((await review(api, token)).json.status.authenticated, true);
    await api.delete(`${secrets}/s`);
    assert.equal((await review(api, token)).json.status.authenticated, undefined);
  });
});

describe('token reviews', () => {
  const alice = {
    username: 'alice',
    uid: '7',
    groups: ['dev', 'system:authenticated'],
  };
  const wrong = { user: {}, error: 'invalid bearer token' };
  for (const [what, token, audiences, status] of [
    [
      'a token of the file',
      'letmein',
      undefined,
      { authenticated: true, user: alice, audiences: [audience] },
    ],
    [
      'one for this server and others',
      'letmein',
      ['x', audience],
      { authenticated: true, user: alice, audiences: [audience] },
    ],
    ['one for others', 'letmein', ['x'], wrong],
    ['an unknown one', 'letmeout', undefined, wrong],
  ] as const) {
    for (const version of ['v1', 'v1beta1']) {
      it(`a token review of ${what}, in ${version}`, async () => {
        await using api = await open({ release: '1.21' });
        const answer = await review(api, token, audiences, version);
        assert.equal(answer.status, 201);
        assert.deepEqual(answer.json.status, status);
      });
    }
  }

  it('a token review of a service account returns the matching audiences', async () => {
    await using api = await open();
    const { token } = (await api.post(path, { ...kind, spec: { audiences: ['vault', 'registry'] } })).json
      .status;
    const audiencesFor = async (asked?: readonly string[]) =>
      (await review(api, token, asked)).json.status.audiences;
    assert.deepEqual(await audiencesFor(['vault', 'x']), ['vault']);
    assert.deepEqual(await audiencesFor(['registry', 'vault']), ['registry', 'vault']);
    assert.equal(await audiencesFor(['x']), undefined);
    assert.equal(await audiencesFor(), undefined);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await api.get(accounts, { headers })).status, 401);
  });
});

describe('tokens in logs', () => {
  it('no log entry contains a token, also for invalid tokens', async () => {
    await using api = await open();
    const { token } = (await api.post(path, { ...kind, spec: {} })).json.status;
    const [head, body, tail] = token.split('.');
    const presented = [token, `${head}.${body}.${tail.slice(4)}`, `${head}.${body}.`, 'letmein', 'letmeout'];
    for (const one of presented) {
      await api.get(accounts, { headers: { authorization: `Bearer ${one}` } });
      await review(api, one);
    }
    await api.delete(`${accounts}/robot`);
    await api.get(accounts, { headers: { authorization: `Bearer ${token}` } });
    const log = JSON.stringify(api.env.entries);
    assert.ok(log.includes('credentials rejected'), 'refusals are logged');
    for (const part of [body, tail, 'letmein', 'letmeout']) assert.ok(!log.includes(part));
  });
});
