import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signToken } from '@orch/pki/jws';
import { fixedKeys } from '../jwt/signature.ts';
import { audience, credentials, ecKey, names, rsaKey, TokenWorld, told } from '../testing/token-world.ts';
import type { Authenticator } from '../types.ts';

const user = 'system:serviceaccount:apps:robot';
const ask = async (authenticator: Authenticator, token: string): Promise<string> =>
  told(await authenticator.authenticate(credentials(token)));

describe('tokens of service accounts', () => {
  for (const [what, key] of [
    ['ES256', ecKey()],
    ['ES384', ecKey('P-384')],
    ['ES512', ecKey('P-521')],
    ['RS256', rsaKey()],
  ] as const) {
    it(`signed with ${what} say who it is, in which groups, and from which pod`, async () => {
      const world = new TokenWorld(key);
      assert.equal(key.algorithm, what);
      const token = world.token({ kind: 'pod', name: 'web', uid: 'pod-1' });
      assert.deepEqual(await world.authenticator().authenticate(credentials(token)), {
        kind: 'user',
        user: {
          name: user,
          uid: 'account-1',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:apps', 'system:authenticated'],
          extra: {
            'authentication.orch.io/pod-name': ['web'],
            'authentication.orch.io/pod-uid': ['pod-1'],
          },
        },
      });
    });
  }

  it('are answered at once, on a connection and on another one', () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    const asked = credentials(world.token());
    for (const one of [asked, asked, { ...asked, connection: {} }]) {
      const answer = authenticator.authenticate(one);
      assert.ok(!(answer instanceof Promise) && answer.kind === 'user');
    }
  });

  it('do not answer for one another on one connection', async () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    const connection = {};
    const answers: string[] = [];
    for (const token of [world.token(), 'x.y.z', 'static', world.token()])
      answers.push(told(await authenticator.authenticate(credentials(token, { connection }))));
    assert.deepEqual(answers, [user, 'malformed token', 'none', user]);
  });

  for (const [what, token] of [
    ['no token', undefined],
    ['a token of a file', 'abc'],
    ['a bootstrap token', 'abcdef.0123456789abcdef'],
  ] as const) {
    it(`leave ${what} to others`, async () => {
      assert.equal(told(await new TokenWorld().authenticator().authenticate(credentials(token))), 'none');
    });
  }

  it('leave tokens of other issuers to others, whoever signed them', async () => {
    const world = new TokenWorld();
    const token = signToken({ ...world.claims(), iss: 'https://other.example' }, world.key);
    assert.equal(await ask(world.authenticator(), token), 'none');
  });

  it('of a former issuer stay good', async () => {
    const world = new TokenWorld();
    const token = signToken({ ...world.claims(), iss: 'https://former.example' }, world.key);
    assert.equal(await ask(world.authenticator(), token), user);
  });

  it('end in time, within one connection', async () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    const asked = credentials(world.token(undefined, 600));
    world.env.clock.advance(599_000);
    assert.equal(told(await authenticator.authenticate(asked)), user);
    world.env.clock.advance(1000);
    assert.equal(told(await authenticator.authenticate(asked)), 'the token has expired');
  });

  for (const [what, spoil, answer] of [
    ['for nobody', { aud: [] }, 'the claims are not those of a service account'],
    ['for others', { aud: ['https://other.example'] }, 'the token is not meant for this audience'],
    ['for others and us', { aud: ['https://other.example', audience] }, user],
    ['without an end', { exp: undefined }, 'the claims are not those of a service account'],
    ['with an end that is no number', { exp: '9999999999' }, 'the claims are not those of a service account'],
    ['from ten minutes on', { nbf: new TokenWorld().seconds + 600 }, 'the token is not valid yet'],
    ['from a moment on, by another clock', { nbf: new TokenWorld().seconds + 30 }, user],
    ['of another subject', { sub: `${user}2` }, 'the claims are not those of a service account'],
    [
      'of an account without identity',
      { 'orch.io': { namespace: 'apps', serviceaccount: { name: 'robot' } } },
      'the claims are not those of a service account',
    ],
    [
      'bound to something unreadable',
      { 'orch.io': { namespace: 'apps', serviceaccount: { name: 'robot', uid: 'account-1' }, pod: 'web' } },
      'the claims are not those of a service account',
    ],
    [
      'of an account that is not there',
      {
        'orch.io': { namespace: 'apps', serviceaccount: { name: 'other', uid: 'x' } },
        sub: 'system:serviceaccount:apps:other',
      },
      'service account does not exist',
    ],
  ] as const) {
    it(`${what}: ${answer}`, async () => {
      const world = new TokenWorld();
      const token = signToken({ ...world.claims(), ...spoil }, world.key);
      assert.equal(await ask(world.authenticator(), token), answer);
    });
  }
});

const metrics = (world: TokenWorld): string => world.env.metrics.text();

describe('tokens that are old', () => {
  const pod = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  it('are good, told to the audit, and counted, when they should have been replaced', async () => {
    const world = new TokenWorld();
    const authenticator = world.authenticator();
    const asked = credentials(world.token(pod, 3607));
    const annotations = async () => {
      const answer = await authenticator.authenticate(asked);
      assert.ok(answer.kind === 'user');
      return answer.annotations;
    };
    assert.equal(await annotations(), undefined);
    world.env.clock.advance(3_700_000);
    const key = names.auditAnnotations.staleToken;
    assert.deepEqual(await annotations(), { [key]: `subject: ${user}, seconds after warning threshold: 93` });
    assert.match(metrics(world), /^serviceaccount_stale_tokens_total 1$/m);
    assert.match(metrics(world), /^serviceaccount_valid_tokens_total 1$/m);
    world.env.clock.advance(365 * 24 * 3600 * 1000);
    assert.equal(told(await authenticator.authenticate(asked)), 'the token has expired');
  });

  it('are told of when they are of the kind that lives for ever', async () => {
    const world = new TokenWorld();
    const token = signToken(world.legacyClaims(), world.key);
    world.hold(token);
    const answer = await world.authenticator().authenticate(credentials(token));
    assert.ok(answer.kind === 'user');
    assert.deepEqual(answer.annotations, { 'authentication.orch.io/legacy-token': user });
    assert.match(metrics(world), /^serviceaccount_legacy_tokens_total 1$/m);
  });
});

describe('audiences that somebody asks about', () => {
  const mine = [audience, 'https://vault.example'];
  for (const [asked, answer] of [
    [[], [audience]],
    [[audience], [audience]],
    [['https://vault.example', 'x'], ['https://vault.example']],
    [['x'], undefined],
  ] as const) {
    it(`[${asked.join(', ')}]: ${answer ?? 'nobody'}`, async () => {
      const world = new TokenWorld();
      const token = signToken({ ...world.claims(), aud: mine }, world.key);
      const outcome = await world.authenticator().authenticate(credentials(token, { audiences: asked }));
      assert.deepEqual(outcome.kind === 'user' ? outcome.audiences : undefined, answer);
    });
  }
});

describe('keys', () => {
  it('are looked for again when a token names one that is not known', async () => {
    const world = new TokenWorld();
    let known = fixedKeys([]);
    let searches = 0;
    const keys = {
      withId: (id: string) => known.withId(id),
      unnamed: [],
      all: () => known.all(),
      async refresh() {
        searches++;
        known = fixedKeys([world.key]);
      },
    };
    const authenticator = world.authenticator({}, keys);
    assert.equal(await ask(authenticator, world.token()), user);
    const other = new TokenWorld().token();
    for (let turn = 0; turn < 3; turn++)
      assert.equal(await ask(authenticator, other), 'signed with an unknown key');
    // The second search is the last: the answer is remembered.
    assert.equal(searches, 2);
  });

  it('that were withdrawn count for ten more seconds at most', async () => {
    const world = new TokenWorld();
    let known = fixedKeys([world.key]);
    const keys = { withId: (id: string) => known.withId(id), unnamed: [], all: () => known.all() };
    const authenticator = world.authenticator({}, keys);
    const asked = credentials(world.token());
    assert.equal(told(await authenticator.authenticate(asked)), user);
    known = fixedKeys([]);
    world.env.clock.advance(9_999);
    assert.equal(told(await authenticator.authenticate(asked)), user);
    world.env.clock.advance(1);
    assert.equal(told(await authenticator.authenticate(asked)), 'signed with an unknown key');
  });

  it('of tokens that name none are all tried', async () => {
    const world = new TokenWorld();
    const signer = { ...world.key, id: '' };
    const keys = fixedKeys([rsaKey(), ecKey(), world.key]);
    assert.equal(await ask(world.authenticator({}, keys), signToken(world.claims(), signer)), user);
  });
});
