import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { until } from '../../transport/testing/peers.ts';
import { CredentialError } from '../credential-error.ts';
import type { Credentials } from '../types.ts';
import type { OidcConfig, OidcContext, RefreshedTokens } from './config.ts';
import { maxAnswerBytes } from './fetch-over-tls.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import {
  encode,
  idToken,
  type Reply,
  type Script,
  type TokenServer,
  tokenServer,
} from './testing/token-server.ts';

const { signal } = new AbortController();
const start = Date.UTC(2026, 10, 22);
const hour = 3_600_000;
const tokenOf = async (credentials: Credentials): Promise<unknown> =>
  (await credentials.current(signal)).headers['authorization'];
const bearer = (token: string): string => `Bearer ${token}`;

const configOf = (server: TokenServer, changes: Partial<OidcConfig> = {}): OidcConfig => ({
  idpIssuerUrl: server.issuer,
  clientId: 'orch',
  clientSecret: 's3cret',
  refreshToken: 'refresh-s3cret',
  ca: server.ca,
  ...changes,
});
const contextOf = (changes: Partial<OidcContext> = {}): OidcContext => ({
  env: { clock: new FakeClock(start) },
  ...changes,
});

describe('id tokens', () => {
  it('an id token is used until shortly before its expiration, then refreshed, and the new tokens are reported', async () => {
    const second = idToken(start + 2 * hour, 'second');
    const third = idToken(start + 3 * hour, 'third');
    await using server = await tokenServer({
      token: (_, run) => ({
        body: run === 1 ? { id_token: second, refresh_token: 'rotated' } : { id_token: third },
      }),
    });
    const clock = new FakeClock(start);
    const persisted: RefreshedTokens[] = [];
    const first = idToken(start + hour);
    const credentials = oidcCredentials(
      configOf(server, { idToken: first }),
      contextOf({ env: { clock }, persist: (tokens) => void persisted.push(tokens) }),
    );
    clock.advance(hour - 10_001);
    assert.equal(await tokenOf(credentials), bearer(first));
    assert.deepEqual(server.paths, []);
    clock.advance(1);
    const waiting = [tokenOf(credentials), tokenOf(credentials)];
    assert.deepEqual(await Promise.all(waiting), [bearer(second), bearer(second)]);
    clock.advance(hour);
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
      const next = idToken(start + hour);
      await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
      const config = configOf(server, given === undefined ? {} : { idToken: given });
      assert.equal(await tokenOf(oidcCredentials(config, contextOf())), bearer(next));
    });

  it('a new id token is used for ten seconds even if it has expired by the local clock', async () => {
    const past = idToken(start - hour);
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
    const next = idToken(start + hour);
    await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
    const config = configOf(server, { idpIssuerUrl: `${server.issuer}/` });
    assert.equal(await tokenOf(oidcCredentials(config, contextOf())), bearer(next));
    assert.deepEqual(server.paths, ['/realm/.well-known/openid-configuration', '/realm/token']);
  });

  it('a rejected id token is refreshed, unless it is new', async () => {
    const [first, second] = [idToken(start + hour), idToken(start + hour, 'second')];
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
      const next = idToken(start + hour);
      await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
      assert.equal(await tokenOf(oidcCredentials(configOf(server), contextOf({ persist }))), bearer(next));
    });

  it('an id token is used after the deadline when the storage of its refresh hangs', async () => {
    const next = idToken(start + hour);
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
      const given = idToken(start + hour);
      const credentials = oidcCredentials({ ...config, idToken: given }, { env: { clock } });
      clock.advance(hour - 1);
      const identity = await credentials.current(signal);
      assert.equal(credentials.rejected(identity), false);
      assert.equal(await credentials.current(signal), identity);
      clock.advance(1);
      await assert.rejects(
        credentials.current(signal),
        new CredentialError(
          `OIDC provider ${issuer}: the id token has expired, and there is no refresh token`,
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
          new CredentialError(`OIDC provider ${issuer}: ${problem}, and there is no refresh token`),
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
      const next = idToken(start + hour);
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

describe('failed refreshes', () => {
  const echo = { error_description: 'refresh-s3cret of s3cret is wrong' };
  const rows: readonly (readonly [string, Script, string])[] = [
    [
      'discovery is rejected',
      { discovery: () => ({ status: 404 }) },
      'discovery is answered with status 404',
    ],
    [
      'discovery is redirected',
      { discovery: () => ({ status: 302, headers: { location: 'https://127.0.0.1/evil' } }) },
      'discovery is answered with status 302',
    ],
    [
      'discovery is not JSON',
      { discovery: () => ({ body: '<html>' }) },
      'discovery is not answered with a JSON object',
    ],
    [
      'discovery is a list',
      { discovery: () => ({ body: [] }) },
      'discovery is not answered with a JSON object',
    ],
    [
      'discovery is for another issuer',
      { discovery: { issuer: 'https://evil.test' } },
      'discovery is answered for another issuer',
    ],
    [
      'discovery has fields in its prototype only',
      {
        discovery: (issuer) => ({
          body: `{"issuer":${JSON.stringify(issuer)},"__proto__":{"token_endpoint":"https://x"}}`,
        }),
      },
      'discovery names no token endpoint with an https URL',
    ],
    [
      'the token endpoint has no TLS',
      { discovery: { token_endpoint: 'http://127.0.0.1/token' } },
      'discovery names no token endpoint with an https URL',
    ],
    [
      'the provider requires another client authentication',
      { discovery: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
      'it knows no way to say who the client is that this client knows',
    ],
    [
      'the refresh token is rejected',
      { token: () => ({ status: 400, body: { error: 'invalid_grant', ...echo } }) },
      'the refresh token is refused (invalid_grant): a new login is needed',
    ],
    [
      'the client is rejected',
      { token: () => ({ status: 401, body: { error: 'invalid_client', ...echo } }) },
      'the client id or its secret is refused (invalid_client)',
    ],
    [
      'the error code is unknown',
      { token: () => ({ status: 400, body: { error: 'refresh-s3cret' } }) },
      'a refresh is answered with status 400',
    ],
    [
      'the client must not refresh',
      { token: () => ({ status: 400, body: { error: 'unauthorized_client' } }) },
      'a refresh is answered with status 400 (unauthorized_client)',
    ],
    [
      'the provider fails',
      { token: () => ({ status: 503, body: 's3cret' }) },
      'a refresh is answered with status 503',
    ],
    [
      'the refresh is redirected',
      { token: () => ({ status: 307, headers: { location: 'https://127.0.0.1/evil' } }) },
      'a refresh is answered with status 307',
    ],
    [
      'the response is not JSON',
      { token: () => ({ body: 's3cret' }) },
      'a refresh is not answered with a JSON object',
    ],
    [
      'the response has no id token',
      { token: () => ({ body: { access_token: 's3cret' } }) },
      'it answers refreshes without an id token: give the token itself instead',
    ],
    [
      'the id token is invalid',
      { token: () => ({ body: { id_token: 's3cret' } }) },
      'its answer holds an id token that cannot be read',
    ],
    [
      'the id token has no expiration',
      { token: () => ({ body: { id_token: `${encode({})}.${encode({ sub: 's3cret' })}.c2ln` } }) },
      'its answer holds an id token that cannot be read',
    ],
    [
      'the response is too long',
      { token: () => ({ body: 's3cret'.repeat(maxAnswerBytes) }) },
      `no new id token: the answer is longer than ${maxAnswerBytes} bytes`,
    ],
  ];
  for (const [title, script, problem] of rows)
    it(`a failed refresh has an error without secrets: ${title}`, async () => {
      await using server = await tokenServer(script);
      await assert.rejects(oidcCredentials(configOf(server), contextOf()).current(signal), (error: Error) => {
        assert.ok(error instanceof CredentialError);
        assert.equal(error.message, `OIDC provider ${server.issuer}: ${problem}`);
        assert.ok(!inspect(error, { depth: 9 }).includes('s3cret'));
        return true;
      });
    });

  for (const [title, issuer, problem] of [
    ['that is not a URL', 's3cret', '(no URL): idp-issuer-url must be an https URL'],
    ['without TLS', 'http://login.test/r', 'http://login.test/r: idp-issuer-url must be an https URL'],
    ['with a password', 'https://a:s3cret@login.test/r', 'https://login.test/r: idp-issuer-url must be an'],
    [
      'with a query',
      'https://login.test/r?s3cret',
      'https://login.test/r: idp-issuer-url must be an https URL',
    ],
  ] as const)
    it(`an issuer URL ${title} is rejected without secrets`, async () => {
      const config = { idpIssuerUrl: issuer, clientId: 'orch', refreshToken: 's3cret' };
      await assert.rejects(
        oidcCredentials(config, contextOf()).current(signal),
        (error: Error) =>
          error.message.startsWith(`OIDC provider ${problem}`) && !error.message.includes('s3cret'),
      );
    });

  it('a new refresh token without an id token replaces the previous one', async () => {
    const next = idToken(start + hour);
    await using server = await tokenServer({
      token: (_, run) => ({ body: run === 1 ? { refresh_token: 'rotated' } : { id_token: next } }),
    });
    const credentials = oidcCredentials(configOf(server), contextOf());
    await assert.rejects(credentials.current(signal), CredentialError);
    assert.equal(await tokenOf(credentials), bearer(next));
    assert.equal(server.requests[1]?.form['refresh_token'], 'rotated');
  });

  it('refreshes trust only the configured authorities', async () => {
    await using server = await tokenServer({});
    const { ca: _, ...config } = configOf(server);
    await assert.rejects(
      oidcCredentials(config, contextOf({ env: { clock: systemClock } })).current(signal),
      /^CredentialError: OIDC provider https:\/\/127\.0\.0\.1:\d+\/realm: no new id token: self-signed certificate/,
    );
    assert.deepEqual(server.paths, []);
  });

  for (const [title, script] of [
    ['discovery', { discovery: () => ({ body: 'hang' }) }],
    ['the refresh', { token: () => ({ body: 'hang' }) }],
  ] as const satisfies readonly (readonly [string, Script])[])
    it(`a refresh has a deadline when ${title} hangs`, async () => {
      await using server = await tokenServer(script);
      const clock = new FakeClock(start);
      const current = oidcCredentials(configOf(server), contextOf({ env: { clock } })).current(signal);
      await until(() => server.paths.length === ('token' in script ? 2 : 1));
      clock.advance(30_000);
      await assert.rejects(
        current,
        new CredentialError(
          `OIDC provider ${server.issuer}: no new id token: deadline exceeded after 30000 ms`,
        ),
      );
      assert.equal(clock.pending, 0);
    });
});
