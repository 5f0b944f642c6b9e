import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { CredentialError } from '../credential-error.ts';
import type { RefreshedTokens } from './config.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import { bearer, configOf, contextOf, HOUR_MS, signal, start, tokenOf } from './testing/fixtures.ts';
import { idToken, type Reply, tokenServer } from './testing/token-server.ts';

describe('id tokens', () => {
  it('an id token is used until shortly before its expiration, then refreshed, and the new tokens are reported', async () => {
    const second = idToken(start + 2 * HOUR_MS, 'second');
    const third = idToken(start + 3 * HOUR_MS, 'third');
    await using server = await tokenServer({
      token: (_, run) => ({
        body: run === 1 ? { id_token: second, refresh_token: 'rotated' } : { id_token: third },
      }),
    });
    const clock = new FakeClock(start);
    const persisted: RefreshedTokens[] = [];
    const first = idToken(start + HOUR_MS);
    const credentials = oidcCredentials(
      configOf(server, { idToken: first }),
      contextOf({ env: { clock }, persist: (tokens) => void persisted.push(tokens) }),
    );
    clock.advance(HOUR_MS - 10_001);
    assert.equal(await tokenOf(credentials), bearer(first));
    assert.deepEqual(server.paths, []);
    clock.advance(1);
    const waiting = [tokenOf(credentials), tokenOf(credentials)];
    assert.deepEqual(await Promise.all(waiting), [bearer(second), bearer(second)]);
    clock.advance(HOUR_MS);
    assert.equal(await tokenOf(credentials), bearer(third));
    assert.deepEqual(
      server.requests.map(({ form }) => form['refresh_token']),
      ['refresh-s3cret', 'rotated'],
    );
    assert.deepEqual(persisted, [
      { idToken: second, refreshToken: 'rotated' },
      { idToken: third, refreshToken: 'rotated' },
    ]);
    assert.equal(clock.pending, 0);
  });

  for (const [title, given] of [
    ['is missing', undefined],
    ['cannot be parsed', 'no-token'],
  ] as const)
    it(`an id token is refreshed when it ${title}`, async () => {
      const next = idToken(start + HOUR_MS);
      await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
      const config = configOf(server, given === undefined ? {} : { idToken: given });
      assert.equal(await tokenOf(oidcCredentials(config, contextOf())), bearer(next));
    });

  it('a new id token is used for ten seconds even if it has expired by the local clock', async () => {
    const past = idToken(start - HOUR_MS);
    await using server = await tokenServer({ token: () => ({ body: { id_token: past } }) });
    const clock = new FakeClock(start);
    const credentials = oidcCredentials(configOf(server), contextOf({ env: { clock } }));
    assert.equal(await tokenOf(credentials), bearer(past));
    clock.advance(9_999);
    assert.equal(await tokenOf(credentials), bearer(past));
    assert.equal(server.requests.length, 1);
    clock.advance(1);
    assert.equal(await tokenOf(credentials), bearer(past));
    assert.equal(server.requests.length, 2);
  });

  it('an issuer can have a trailing slash', async () => {
    const next = idToken(start + HOUR_MS);
    await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
    const config = configOf(server, { idpIssuerUrl: `${server.issuer}/` });
    assert.equal(await tokenOf(oidcCredentials(config, contextOf())), bearer(next));
    assert.deepEqual(server.paths, ['/realm/.well-known/openid-configuration', '/realm/token']);
  });

  it('a rejected id token is refreshed, unless it is new', async () => {
    const [first, second] = [idToken(start + HOUR_MS), idToken(start + HOUR_MS, 'second')];
    await using server = await tokenServer({ token: () => ({ body: { id_token: second } }) });
    const clock = new FakeClock(start);
    const credentials = oidcCredentials(configOf(server, { idToken: first }), contextOf({ env: { clock } }));
    assert.equal(credentials.rejected(await credentials.current(signal)), true);
    const identity = await credentials.current(signal);
    assert.equal(identity.headers['authorization'], bearer(second));
    assert.equal(credentials.rejected(identity), false);
    clock.advance(10_000);
    assert.equal(credentials.rejected(identity), true);
    assert.equal(server.requests.length, 1);
  });

  for (const [title, persist] of [
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ] as const)
    it(`an id token is used when the storage of its refresh ${title}`, async () => {
      const next = idToken(start + HOUR_MS);
      await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
      assert.equal(await tokenOf(oidcCredentials(configOf(server), contextOf({ persist }))), bearer(next));
    });

  it('an id token is used after the deadline when the storage of its refresh hangs', async () => {
    const next = idToken(start + HOUR_MS);
    await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
    const clock = new FakeClock(start);
    let isPersisting = false;
    const persist = (): Promise<void> => {
      isPersisting = true;
      return new Promise(() => undefined);
    };
    const token = tokenOf(oidcCredentials(configOf(server), contextOf({ env: { clock }, persist })));
    await until(() => isPersisting);
    clock.advance(30_000);
    assert.equal(await token, bearer(next));
  });

  describe('id tokens without a refresh token', () => {
    const issuer = 'https://login.test/realm';
    const config = { idpIssuerUrl: issuer, clientId: 'orch' };

    it('an id token without a refresh token is used until its expiration, also after a rejection', async () => {
      const clock = new FakeClock(start);
      const given = idToken(start + HOUR_MS);
      const credentials = oidcCredentials({ ...config, idToken: given }, { env: { clock } });
      clock.advance(HOUR_MS - 1);
      const identity = await credentials.current(signal);
      assert.equal(credentials.rejected(identity), false);
      assert.equal(await credentials.current(signal), identity);
      clock.advance(1);
      await assert.rejects(
        credentials.current(signal),
        new CredentialError(
          `OIDC provider ${issuer}: the id token has expired, and there is no refresh token`,
          { kind: 'loginNeeded' },
        ),
      );
    });

    for (const [title, given, problem] of [
      ['a missing id token without a refresh token is an error', {}, 'there is no id token'],
      [
        'an invalid id token without a refresh token is an error',
        { idToken: 's3cret' },
        'the id token cannot be read',
      ],
    ] as const)
      it(title, async () => {
        await assert.rejects(
          oidcCredentials({ ...config, ...given }, contextOf()).current(signal),
          new CredentialError(`OIDC provider ${issuer}: ${problem}, and there is no refresh token`, {
            kind: 'loginNeeded',
          }),
        );
      });
  });
});

describe('client authentication at OIDC providers', () => {
  const asBasic = (id: string, secret: string): string =>
    `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const refused: Reply = { status: 401, body: { error: 'invalid_client' } };
  const inBody = { client_id: 'orch', client_secret: 's3cret' };
  for (const [title, config, discovery, refusals, expected] of [
    ['in a header', {}, {}, 0, [[asBasic('orch', 's3cret'), {}]]],
    [
      'in a header with encoded values',
      { clientId: 'a:b', clientSecret: 'ü %+' },
      {},
      0,
      [[asBasic('a%3Ab', '%C3%BC+%25%2B'), {}]],
    ],
    [
      'in the body when the provider supports nothing else',
      {},
      { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'] },
      0,
      [[undefined, inBody]],
    ],
    [
      'in the body after the rejection of the header',
      {},
      {},
      1,
      [
        [asBasic('orch', 's3cret'), {}],
        [undefined, inBody],
      ],
    ],
    ['by the client id without a secret', { clientSecret: '' }, {}, 0, [[undefined, { client_id: 'orch' }]]],
  ] as const)
    it(`a client is authenticated ${title}`, async () => {
      const next = idToken(start + HOUR_MS);
      await using server = await tokenServer({
        discovery,
        token: (_, run) => (run <= refusals ? refused : { body: { id_token: next } }),
      });
      const { clientSecret, ...rest } = configOf(server, config);
      const credentials = oidcCredentials({ ...rest, ...(clientSecret && { clientSecret }) }, contextOf());
      assert.equal(await tokenOf(credentials), bearer(next));
      const refresh = { grant_type: 'refresh_token', refresh_token: 'refresh-s3cret' };
      assert.deepEqual(
        server.requests.map(({ authorization, form }) => [authorization, form]),
        expected.map(([authorization, form]) => [authorization, { ...refresh, ...form }]),
      );
    });
});
