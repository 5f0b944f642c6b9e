import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedKeys } from '../jwt/signature.ts';
import {
  audience,
  credentials,
  ecKey,
  handMade,
  names,
  resultOf,
  rsaKey,
  signedBy,
  TokenFixture,
  tokenOf,
} from '../testing/token-fixture.ts';
import type { Authentication, Authenticator } from '../types.ts';

const user = 'system:serviceaccount:apps:robot';
const authenticate = async (authenticator: Authenticator, token: string): Promise<string> =>
  resultOf(await authenticator.authenticate(credentials(token)));

describe('service account authenticator', () => {
  for (const [algorithm, key] of [
    ['ES256', ecKey()],
    ['ES384', ecKey('P-384')],
    ['ES512', ecKey('P-521')],
    ['RS256', rsaKey()],
  ] as const) {
    it(`a token signed with ${algorithm} identifies the account, its groups and its pod`, async () => {
      const fixture = new TokenFixture(key);
      assert.equal(key.algorithm, algorithm);
      const token = await fixture.token({ kind: 'pod', name: 'web', uid: 'pod-1' });
      assert.deepEqual(await fixture.authenticator().authenticate(credentials(token)), {
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

  for (const algorithm of ['RS384', 'RS512', 'PS256', 'PS384', 'PS512']) {
    it(`an RSA key accepts ${algorithm}`, async () => {
      const fixture = new TokenFixture(rsaKey());
      const key = { ...fixture.key, algorithm };
      const token = tokenOf(await fixture.claims(), key);
      assert.equal(await authenticate(fixture.authenticator(), token), user);
    });
  }

  it('a verified token is answered synchronously, on the same and on another connection', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const request = credentials(await fixture.token());
    assert.equal(resultOf(await authenticator.authenticate(request)), user);
    for (const one of [request, request, { ...request, connection: {} }]) {
      const answer = authenticator.authenticate(one);
      assert.ok(!(answer instanceof Promise) && answer.kind === 'user');
    }
  });

  it('concurrent requests with one new token verify its signature once', async () => {
    const fixture = new TokenFixture();
    const fixed = fixedKeys([fixture.key]);
    let lookups = 0;
    const keys = {
      ...fixed,
      withId(id: string) {
        lookups += 1;
        return fixed.withId(id);
      },
    };
    const authenticator = fixture.authenticator({}, keys);
    const token = await fixture.token();
    const answers: (Authentication | Promise<Authentication>)[] = [];
    for (let index = 0; index < 10; index++) answers.push(authenticator.authenticate(credentials(token)));
    assert.deepEqual(new Set((await Promise.all(answers)).map(resultOf)), new Set([user]));
    assert.equal(lookups, 1);
  });

  it('different tokens on one connection are answered separately', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const connection = {};
    const answers: string[] = [];
    for (const token of [await fixture.token(), 'x.y.z', 'static', await fixture.token()])
      answers.push(resultOf(await authenticator.authenticate(credentials(token, { connection }))));
    assert.deepEqual(answers, [user, 'malformed token', 'none', user]);
  });

  for (const [what, token] of [
    ['a request without a token', undefined],
    ['a static token', 'abc'],
    ['a bootstrap token', 'abcdef.0123456789abcdef'],
  ] as const) {
    it(`${what} is left to other authenticators`, async () => {
      const fixture = new TokenFixture();
      assert.equal(resultOf(await fixture.authenticator().authenticate(credentials(token))), 'none');
    });
  }

  it('a token of another issuer is left to other authenticators, whatever key signed it', async () => {
    const fixture = new TokenFixture();
    const token = tokenOf({ ...(await fixture.claims()), iss: 'https://other.example' }, fixture.key);
    assert.equal(await authenticate(fixture.authenticator(), token), 'none');
  });

  it('a token of a former issuer is accepted', async () => {
    const fixture = new TokenFixture();
    const token = tokenOf({ ...(await fixture.claims()), iss: 'https://former.example' }, fixture.key);
    assert.equal(await authenticate(fixture.authenticator(), token), user);
  });

  it('a token expires in the middle of a connection', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const request = credentials(await fixture.token(undefined, 600));
    fixture.env.clock.advance(599_000);
    assert.equal(resultOf(await authenticator.authenticate(request)), user);
    fixture.env.clock.advance(1000);
    assert.equal(resultOf(await authenticator.authenticate(request)), 'the token has expired');
  });

  const { seconds } = new TokenFixture();
  const account = { namespace: 'apps', serviceaccount: { name: 'robot', uid: 'account-1' } };
  const wrongClaims = 'the claims are not those of a service account';
  for (const [what, changes, answer] of [
    ['without audiences', { aud: [] }, wrongClaims],
    ['for another audience', { aud: ['https://other.example'] }, 'the token is not meant for this audience'],
    ['for this and another audience', { aud: ['https://other.example', audience] }, user],
    ['without an expiry time', { exp: undefined }, wrongClaims],
    ['with an expiry time that is a string', { exp: '9999999999' }, wrongClaims],
    ['that becomes valid in ten minutes', { nbf: seconds + 600 }, 'the token is not valid yet'],
    ['that becomes valid within the tolerated clock difference', { nbf: seconds + 30 }, user],
    ['with another subject', { sub: `${user}2` }, wrongClaims],
    [
      'with an account without a UID',
      { 'orch.io': { ...account, serviceaccount: { name: 'robot' } } },
      wrongClaims,
    ],
    ['bound to a malformed object', { 'orch.io': { ...account, pod: 'web' } }, wrongClaims],
    [
      'of an account that does not exist',
      {
        'orch.io': { namespace: 'apps', serviceaccount: { name: 'other', uid: 'x' } },
        sub: 'system:serviceaccount:apps:other',
      },
      'service account does not exist',
    ],
  ] as const) {
    it(`a token ${what} results in: ${answer}`, async () => {
      const fixture = new TokenFixture();
      const token = tokenOf({ ...(await fixture.claims()), ...changes }, fixture.key);
      assert.equal(await authenticate(fixture.authenticator(), token), answer);
    });
  }
});

const metrics = (fixture: TokenFixture): string => fixture.env.metrics.text();

describe('audit annotations and metrics of service account tokens', () => {
  const pod = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  it('a token that should have been replaced is accepted, annotated and counted', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const request = credentials(await fixture.token(pod, 3607));
    const annotations = async () => {
      const answer = await authenticator.authenticate(request);
      assert.ok(answer.kind === 'user');
      return answer.annotations;
    };
    assert.equal(await annotations(), undefined);
    fixture.env.clock.advance(3_700_000);
    const key = names.auditAnnotations.staleToken;
    assert.deepEqual(await annotations(), { [key]: `subject: ${user}, seconds after warning threshold: 93` });
    assert.match(metrics(fixture), /^serviceaccount_stale_tokens_total 1$/m);
    assert.match(metrics(fixture), /^serviceaccount_valid_tokens_total 1$/m);
    fixture.env.clock.advance(365 * 24 * 3600 * 1000);
    assert.equal(resultOf(await authenticator.authenticate(request)), 'the token has expired');
  });

  it('a token from a secret is annotated and counted', async () => {
    const fixture = new TokenFixture();
    const token = tokenOf(fixture.legacyClaims(), fixture.key);
    fixture.hold(token);
    const answer = await fixture.authenticator().authenticate(credentials(token));
    assert.ok(answer.kind === 'user');
    assert.deepEqual(answer.annotations, { 'authentication.orch.io/legacy-token': user });
    assert.match(metrics(fixture), /^serviceaccount_legacy_tokens_total 1$/m);
  });
});

describe('audiences of service account tokens in token reviews', () => {
  const audiences = [audience, 'https://vault.example'];
  for (const [requested, answer] of [
    [[], [audience]],
    [[audience], [audience]],
    [['https://vault.example', 'x'], ['https://vault.example']],
    [['x'], undefined],
  ] as const) {
    it(`a review for the audiences [${requested.join(', ')}] reports ${answer ?? 'no user'}`, async () => {
      const fixture = new TokenFixture();
      const token = tokenOf({ ...(await fixture.claims()), aud: audiences }, fixture.key);
      const outcome = await fixture
        .authenticator()
        .authenticate(credentials(token, { audiences: requested }));
      assert.deepEqual(outcome.kind === 'user' ? outcome.audiences : undefined, answer);
    });
  }
});

describe('keys of service account tokens', () => {
  it('keys are loaded again when a token has an unknown key id, and the rejection is cached', async () => {
    const fixture = new TokenFixture();
    let loaded = fixedKeys([]);
    let refreshes = 0;
    const keys = {
      withId: (id: string) => loaded.withId(id),
      unnamed: [],
      all: () => loaded.all(),
      async refresh() {
        refreshes++;
        loaded = fixedKeys([fixture.key]);
      },
    };
    const authenticator = fixture.authenticator({}, keys);
    assert.equal(await authenticate(authenticator, await fixture.token()), user);
    const other = await new TokenFixture().token();
    for (let turn = 0; turn < 3; turn++)
      assert.equal(await authenticate(authenticator, other), 'signed with an unknown key');
    assert.equal(refreshes, 2);
  });

  it('a withdrawn key verifies tokens for at most ten more seconds', async () => {
    const fixture = new TokenFixture();
    let loaded = fixedKeys([fixture.key]);
    const keys = { withId: (id: string) => loaded.withId(id), unnamed: [], all: () => loaded.all() };
    const authenticator = fixture.authenticator({}, keys);
    const request = credentials(await fixture.token());
    assert.equal(resultOf(await authenticator.authenticate(request)), user);
    loaded = fixedKeys([]);
    fixture.env.clock.advance(9_999);
    assert.equal(resultOf(await authenticator.authenticate(request)), user);
    fixture.env.clock.advance(1);
    assert.equal(resultOf(await authenticator.authenticate(request)), 'signed with an unknown key');
  });

  it('a token without a key id is verified with all keys', async () => {
    const fixture = new TokenFixture();
    const { key } = fixture;
    const keys = fixedKeys([rsaKey(), ecKey(), key]);
    for (const header of [{ alg: key.algorithm }, { alg: key.algorithm, kid: '' }]) {
      const token = handMade(header, await fixture.claims(), signedBy(key));
      assert.equal(await authenticate(fixture.authenticator({}, keys), token), user);
    }
  });
});
