import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentials, TokenFixture, tokenOf } from '../testing/token-fixture.ts';
import { basicTokenFeatures, type TokenFeatures } from './token-features.ts';

const pod = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
const node = { kind: 'node', name: 'n1', uid: 'node-1' } as const;
const podNode = { name: 'n1', uid: 'node-1' };
const ofPod = { 'authentication.orch.io/pod-name': ['web'], 'authentication.orch.io/pod-uid': ['pod-1'] };
const ofNode = { 'authentication.orch.io/node-name': ['n1'], 'authentication.orch.io/node-uid': ['node-1'] };
const all: TokenFeatures = { ids: true, podNodes: true, nodeTokens: true };

async function extraOf(fixture: TokenFixture, token: string, features?: TokenFeatures) {
  fixture.source.put('nodes', { metadata: { name: 'n1', uid: 'node-1' } });
  const authenticator = fixture.authenticator(features === undefined ? {} : { features });
  const answer = await authenticator.authenticate(credentials(token));
  return answer.kind === 'user' ? answer.user.extra : answer;
}

describe('features of service account tokens', () => {
  it('an issuer with ids gives each token another id, and reports it as the credential id', async () => {
    const fixture = new TokenFixture();
    const issuer = fixture.issuer({ ids: fixture.env.random });
    const wanted = {
      account: { namespace: 'apps', name: 'robot', uid: 'account-1' },
      audiences: ['a'],
      expirationSeconds: 3600,
    };
    const ids = new Set<string>();
    for (let turn = 0; turn < 3; turn++) {
      const { token, credentialId } = await issuer.issue(wanted);
      const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      assert.match(jti, /^[0-9a-f-]{36}$/);
      assert.equal(credentialId, `JTI=${jti}`);
      ids.add(jti);
    }
    assert.equal(ids.size, 3);
  });

  it('an issuer without ids makes tokens without the claim', async () => {
    const fixture = new TokenFixture();
    assert.ok(!('jti' in (await fixture.claims())));
  });

  for (const [title, bound, named, features, expected] of [
    ['a pod with its node', pod, podNode, all, { ...ofPod, ...ofNode }],
    [
      'a pod whose node did not exist',
      pod,
      { name: 'n1', uid: undefined },
      all,
      { ...ofPod, 'authentication.orch.io/node-name': ['n1'] },
    ],
    ['a pod with its node, without the feature', pod, podNode, { ...all, podNodes: false }, ofPod],
    ['a pod with its node, by default', pod, podNode, undefined, ofPod],
    ['a node', node, undefined, all, ofNode],
    ['a node, by default', node, undefined, undefined, ofNode],
    [
      'a node, without the feature',
      node,
      undefined,
      { ...all, nodeTokens: false },
      { kind: 'rejected', reason: 'tokens that are bound to nodes are disabled by a feature gate' },
    ],
  ] as const) {
    it(`a token that is bound to ${title} shows what the features allow`, async () => {
      const fixture = new TokenFixture();
      const token = await fixture.token(bound, 3600, named === undefined ? {} : { podNode: named });
      assert.deepEqual(await extraOf(fixture, token, features), expected);
    });
  }

  it('the id of a token is the credential id of its user where ids are enabled', async () => {
    const fixture = new TokenFixture();
    const token = tokenOf({ ...(await fixture.claims()), jti: 'one' }, fixture.key);
    assert.deepEqual(await extraOf(fixture, token, all), {
      'authentication.orch.io/credential-id': ['JTI=one'],
    });
    assert.deepEqual(await extraOf(fixture, token, basicTokenFeatures), {});
  });

  for (const [title, change] of [
    ['a node without a uid', { node: { name: 'n1' } }],
    ['a node with an empty uid', { node: { name: 'n1', uid: '' } }],
    ['a node that is a text', { node: 'n1' }],
    ['a pod that is null, and a node', { pod: null, node: { name: 'n1', uid: 'node-1' } }],
  ] as const) {
    it(`a token that is bound to ${title} is rejected`, async () => {
      const fixture = new TokenFixture();
      const claims = await fixture.claims();
      const own = { ...(claims['orch.io'] as object), ...change };
      const answer = await extraOf(fixture, tokenOf({ ...claims, 'orch.io': own }, fixture.key), all);
      assert.equal(answer.kind, 'rejected');
    });
  }
});
