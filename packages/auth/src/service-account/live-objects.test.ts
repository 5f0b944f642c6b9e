import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentials, resultOf, TokenFixture, tokenOf } from '../testing/token-fixture.ts';
import type { Authenticator } from '../types.ts';

const user = 'system:serviceaccount:apps:robot';
const authenticate = async (authenticator: Authenticator, token: string): Promise<string> =>
  resultOf(await authenticator.authenticate(credentials(token)));

describe('objects that a service account token is bound to', () => {
  const pod = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  const secret = { kind: 'secret', name: 'pass', uid: 'secret-1' } as const;
  const deletedAt = (fixture: TokenFixture, seconds: number) => ({
    metadata: { deletionTimestamp: new Date((fixture.seconds + seconds) * 1000).toISOString() },
  });
  for (const [what, bound, change, answer] of [
    [
      'the account is deleted',
      undefined,
      (fixture) => fixture.source.delete('serviceaccounts', 'apps/robot'),
      'service account does not exist',
    ],
    [
      'the account is recreated',
      undefined,
      (fixture) => fixture.put('serviceaccounts', 'robot', 'account-2'),
      'service account has another UID',
    ],
    ['the pod is deleted', pod, (fixture) => fixture.source.delete('pods', 'apps/web'), 'pod does not exist'],
    ['the pod is recreated', pod, (fixture) => fixture.put('pods', 'web', 'pod-2'), 'pod has another UID'],
    [
      'the pod is terminating within its grace period',
      pod,
      (fixture) => fixture.put('pods', 'web', 'pod-1', deletedAt(fixture, 30)),
      user,
    ],
    [
      'the grace period of the pod has passed',
      pod,
      (fixture) => fixture.put('pods', 'web', 'pod-1', deletedAt(fixture, -61)),
      'pod is being deleted',
    ],
    [
      'the pod is updated',
      pod,
      (fixture) => fixture.put('pods', 'web', 'pod-1', { status: { phase: 'Running' } }),
      user,
    ],
    [
      'the secret is deleted',
      secret,
      (fixture) => fixture.source.delete('secrets', 'apps/pass'),
      'secret does not exist',
    ],
    [
      'the secret is recreated',
      secret,
      (fixture) => fixture.put('secrets', 'pass', 'secret-9'),
      'secret has another UID',
    ],
    ['another pod is deleted', pod, (fixture) => fixture.source.delete('pods', 'apps/other'), user],
  ] as readonly [string, typeof pod | typeof secret | undefined, (fixture: TokenFixture) => void, string][]) {
    it(`a token results in "${answer}" after ${what}`, async () => {
      const fixture = new TokenFixture();
      const authenticator = fixture.authenticator();
      const request = credentials(await fixture.token(bound));
      assert.equal(resultOf(await authenticator.authenticate(request)), user);
      change(fixture);
      assert.equal(resultOf(await authenticator.authenticate(request)), answer);
    });
  }

  it('a token is rejected when the grace period of its pod passes, without any event', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    fixture.put('pods', 'web', 'pod-1', deletedAt(fixture, 30));
    const request = credentials(await fixture.token(pod));
    assert.equal(resultOf(await authenticator.authenticate(request)), user);
    fixture.env.clock.advance(90_000);
    assert.equal(resultOf(await authenticator.authenticate(request)), 'pod is being deleted');
  });

  it('a token that is bound to a node is rejected when the node is recreated', async () => {
    const fixture = new TokenFixture();
    fixture.source.put('nodes', { metadata: { name: 'n1', uid: 'node-1' } });
    const claims = await fixture.claims();
    const own = { ...(claims['orch.io'] as object), node: { name: 'n1', uid: 'node-1' } };
    const token = tokenOf({ ...claims, 'orch.io': own }, fixture.key);
    const authenticator = fixture.authenticator();
    assert.equal(await authenticate(authenticator, token), user);
    fixture.source.put('nodes', { metadata: { name: 'n1', uid: 'node-2' } });
    assert.equal(await authenticate(authenticator, token), 'node has another UID');
  });

  it('a token that is bound to a node is rejected when the node is deleted', async () => {
    const fixture = new TokenFixture();
    fixture.source.put('nodes', { metadata: { name: 'n1', uid: 'node-1' } });
    const authenticator = fixture.authenticator();
    const token = await fixture.token({ kind: 'node', name: 'n1', uid: 'node-1' });
    assert.equal(await authenticate(authenticator, token), user);
    fixture.source.delete('nodes', 'n1');
    assert.equal(await authenticate(authenticator, token), 'node does not exist');
  });

  it('a token that is bound to a pod does not depend on the node of the pod', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    for (const podNode of [
      { name: 'n1', uid: 'node-1' },
      { name: 'n1', uid: undefined },
    ])
      assert.equal(await authenticate(authenticator, await fixture.token(pod, 3600, { podNode })), user);
  });

  it('the cache is synchronized before an object counts as absent', async () => {
    const fixture = new TokenFixture();
    const token = await fixture.token();
    fixture.source.delete('serviceaccounts', 'apps/robot');
    fixture.source.fresh = async () => fixture.put('serviceaccounts', 'robot', 'account-1');
    assert.equal(await authenticate(fixture.authenticator(), token), user);
  });

  it('the cache is synchronized once for a revoked token, not by every request', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const token = await fixture.token();
    fixture.source.delete('serviceaccounts', 'apps/robot');
    let syncs = 0;
    fixture.source.fresh = async () => void syncs++;
    for (let turn = 0; turn < 5; turn++)
      assert.equal(await authenticate(authenticator, token), 'service account does not exist');
    assert.equal(syncs, 1);
  });

  it('authentication waits until the cache is loaded', async () => {
    const fixture = new TokenFixture();
    fixture.source.loading = Promise.resolve().then(() => {
      fixture.source.loading = undefined;
    });
    assert.equal(await authenticate(fixture.authenticator(), await fixture.token()), user);
  });
});

describe('service account tokens in secrets', () => {
  const open = () => {
    const fixture = new TokenFixture();
    const token = tokenOf(fixture.legacyClaims(), fixture.key);
    fixture.hold(token);
    return { fixture, token };
  };

  it('a token is accepted as long as the secret contains it', async () => {
    const { fixture, token } = open();
    const authenticator = fixture.authenticator();
    assert.equal(await authenticate(authenticator, token), user);
    fixture.env.clock.advance(400 * 24 * 3600 * 1000);
    assert.equal(await authenticate(authenticator, token), user);
  });

  for (const [what, change, answer] of [
    [
      'its secret is deleted',
      (fixture) => fixture.source.delete('secrets', 'apps/old'),
      'secret does not exist',
    ],
    [
      'its secret is terminating',
      (fixture, token) =>
        fixture.hold(token, 'secret-2', { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } }),
      'secret is being deleted',
    ],
    [
      'it is replaced in its secret',
      (fixture) => fixture.hold('another'),
      'secret does not contain this token',
    ],
    [
      'its secret is emptied',
      (fixture) => fixture.put('secrets', 'old', 'secret-2'),
      'secret does not contain this token',
    ],
    [
      'its account is deleted',
      (fixture) => fixture.source.delete('serviceaccounts', 'apps/robot'),
      'service account does not exist',
    ],
    [
      'its account is recreated',
      (fixture) => fixture.put('serviceaccounts', 'robot', 'account-2'),
      'service account has another UID',
    ],
  ] as readonly [string, (fixture: TokenFixture, token: string) => void, string][]) {
    it(`a token results in "${answer}" after ${what}, and is accepted without lookup`, async () => {
      const { fixture, token } = open();
      const request = credentials(token);
      const authenticator = fixture.authenticator();
      assert.equal(resultOf(await authenticator.authenticate(request)), user);
      change(fixture, token);
      assert.equal(resultOf(await authenticator.authenticate(request)), answer);
      assert.equal(await authenticate(fixture.authenticator({ lookup: false }), token), user);
    });
  }

  it('without lookup the token in a secret stays valid, and the objects of requested tokens are still required', async () => {
    const { fixture, token } = open();
    const bound = await fixture.token();
    fixture.source.delete('serviceaccounts', 'apps/robot');
    const authenticator = fixture.authenticator({ lookup: false });
    assert.equal(await authenticate(authenticator, token), user);
    assert.equal(await authenticate(authenticator, bound), 'service account does not exist');
  });
});
