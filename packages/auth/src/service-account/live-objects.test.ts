import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signToken } from '@orch/pki/jws';
import { credentials, TokenWorld, told } from '../testing/token-world.ts';
import type { Authenticator } from '../types.ts';

const user = 'system:serviceaccount:apps:robot';
const ask = async (authenticator: Authenticator, token: string): Promise<string> =>
  told(await authenticator.authenticate(credentials(token)));

describe('what a token is bound to', () => {
  const pod = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  const secret = { kind: 'secret', name: 'pass', uid: 'secret-1' } as const;
  const deletedAt = (world: TokenWorld, seconds: number) => ({
    metadata: { deletionTimestamp: new Date((world.seconds + seconds) * 1000).toISOString() },
  });
  for (const [what, bound, change, answer] of [
    [
      'an account that is gone',
      undefined,
      (world) => world.feed.delete('serviceaccounts', 'apps/robot'),
      'service account does not exist',
    ],
    [
      'an account made anew',
      undefined,
      (world) => world.put('serviceaccounts', 'robot', 'account-2'),
      'service account is another one by now',
    ],
    ['a pod that is gone', pod, (world) => world.feed.delete('pods', 'apps/web'), 'pod does not exist'],
    ['a pod made anew', pod, (world) => world.put('pods', 'web', 'pod-2'), 'pod is another one by now'],
    ['a pod that ends soon', pod, (world) => world.put('pods', 'web', 'pod-1', deletedAt(world, 30)), user],
    [
      'a pod that should have ended',
      pod,
      (world) => world.put('pods', 'web', 'pod-1', deletedAt(world, -61)),
      'pod is being deleted',
    ],
    [
      'a pod that changed',
      pod,
      (world) => world.put('pods', 'web', 'pod-1', { status: { phase: 'Running' } }),
      user,
    ],
    [
      'a secret that is gone',
      secret,
      (world) => world.feed.delete('secrets', 'apps/pass'),
      'secret does not exist',
    ],
    [
      'a secret made anew',
      secret,
      (world) => world.put('secrets', 'pass', 'secret-9'),
      'secret is another one by now',
    ],
    ['another pod', pod, (world) => world.feed.delete('pods', 'apps/other'), user],
  ] as readonly [string, typeof pod | typeof secret | undefined, (world: TokenWorld) => void, string][]) {
    it(`${what}: ${answer}`, async () => {
      const world = new TokenWorld();
      const authenticator = world.authenticator();
      const asked = credentials(world.token(bound));
      assert.equal(told(await authenticator.authenticate(asked)), user);
      change(world);
      assert.equal(told(await authenticator.authenticate(asked)), answer);
    });
  }

  it('ends with the time of a pod that is being deleted, without a word of it', async () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    world.put('pods', 'web', 'pod-1', deletedAt(world, 30));
    const asked = credentials(world.token(pod));
    assert.equal(told(await authenticator.authenticate(asked)), user);
    world.env.clock.advance(90_000);
    assert.equal(told(await authenticator.authenticate(asked)), 'pod is being deleted');
  });

  it('is a node too, where a token says so', async () => {
    const world = new TokenWorld();
    world.feed.put('nodes', { metadata: { name: 'n1', uid: 'node-1' } });
    const own = { ...(world.claims()['orch.io'] as object), node: { name: 'n1', uid: 'node-1' } };
    const token = signToken({ ...world.claims(), 'orch.io': own }, world.key);
    const authenticator = world.authenticator();
    assert.equal(await ask(authenticator, token), user);
    world.feed.put('nodes', { metadata: { name: 'n1', uid: 'node-2' } });
    assert.equal(await ask(authenticator, token), 'node is another one by now');
  });

  it('is looked for once more before it is missed: a cache may lag behind', async () => {
    const world = new TokenWorld();
    const token = world.token();
    world.feed.delete('serviceaccounts', 'apps/robot');
    world.feed.fresh = async () => world.put('serviceaccounts', 'robot', 'account-1');
    assert.equal(await ask(world.authenticator(), token), user);
  });

  it('is looked for once, and not by every request with a token that is void', async () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    const token = world.token();
    world.feed.delete('serviceaccounts', 'apps/robot');
    let searches = 0;
    world.feed.fresh = async () => void searches++;
    for (let turn = 0; turn < 5; turn++)
      assert.equal(await ask(authenticator, token), 'service account does not exist');
    assert.equal(searches, 1);
  });

  it('is waited for while nothing is loaded', async () => {
    const world = new TokenWorld();
    world.feed.loading = Promise.resolve().then(() => {
      world.feed.loading = undefined;
    });
    assert.equal(await ask(world.authenticator(), world.token()), user);
  });
});

describe('tokens that secrets hold', () => {
  const open = () => {
    const world = new TokenWorld();
    const token = signToken(world.legacyClaims(), world.key);
    world.hold(token);
    return { world, token };
  };

  it('are good for as long as the secret holds them', async () => {
    const { world, token } = open();
    const authenticator = world.authenticator();
    assert.equal(await ask(authenticator, token), user);
    world.env.clock.advance(400 * 24 * 3600 * 1000);
    assert.equal(await ask(authenticator, token), user);
  });

  for (const [what, change, answer] of [
    ['whose secret is gone', (world) => world.feed.delete('secrets', 'apps/old'), 'secret does not exist'],
    [
      'whose secret is being deleted',
      (world, token) =>
        world.hold(token, 'secret-2', { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } }),
      'secret is being deleted',
    ],
    ['that were replaced', (world) => world.hold('another'), 'secret does not hold this token any more'],
    [
      'whose secret was emptied',
      (world) => world.put('secrets', 'old', 'secret-2'),
      'secret does not hold this token any more',
    ],
    [
      'whose account is gone',
      (world) => world.feed.delete('serviceaccounts', 'apps/robot'),
      'service account does not exist',
    ],
    [
      'whose account was made anew',
      (world) => world.put('serviceaccounts', 'robot', 'account-2'),
      'service account is another one by now',
    ],
  ] as readonly [string, (world: TokenWorld, token: string) => void, string][]) {
    it(`and ${what}: ${answer}; without lookup nobody looks`, async () => {
      const { world, token } = open();
      const asked = credentials(token);
      const authenticator = world.authenticator();
      assert.equal(told(await authenticator.authenticate(asked)), user);
      change(world, token);
      assert.equal(told(await authenticator.authenticate(asked)), answer);
      assert.equal(await ask(world.authenticator({ lookup: false }), token), user);
    });
  }

  it('without lookup stay good; tokens that were asked for are looked up all the same', async () => {
    const { world, token } = open();
    const bound = world.token();
    world.feed.delete('serviceaccounts', 'apps/robot');
    const authenticator = world.authenticator({ lookup: false });
    assert.equal(await ask(authenticator, token), user);
    assert.equal(await ask(authenticator, bound), 'service account does not exist');
  });
});
