import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '@orch/machinery/env';
import { FakeClock, until } from '@orch/machinery/testing';
import { CredentialError } from '../credential-error.ts';
import { MAX_RESPONSE_BYTES } from './fetch-over-tls.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import { bearer, configOf, contextOf, HOUR_MS, signal, start, tokenOf } from './testing/fixtures.ts';
import { encode, idToken, type Script, tokenServer } from './testing/token-server.ts';

describe('failed refreshes', () => {
  const echo = { error_description: 'refresh-s3cret of s3cret is wrong' };
  const rows: readonly (readonly [string, Script, string])[] = [
    ['discovery is rejected', { discovery: () => ({ status: 404 }) }, 'discovery responded with status 404'],
    [
      'discovery is redirected',
      { discovery: () => ({ status: 302, headers: { location: 'https://127.0.0.1/evil' } }) },
      'discovery responded with status 302',
    ],
    [
      'discovery is not JSON',
      { discovery: () => ({ body: '<html>' }) },
      'the discovery document is not a JSON object',
    ],
    [
      'discovery is a list',
      { discovery: () => ({ body: [] }) },
      'the discovery document is not a JSON object',
    ],
    [
      'discovery is for another issuer',
      { discovery: { issuer: 'https://evil.test' } },
      'the discovery document is that of another issuer',
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
      'a refresh was rejected with status 400',
    ],
    [
      'the client must not refresh',
      { token: () => ({ status: 400, body: { error: 'unauthorized_client' } }) },
      'a refresh was rejected with status 400 (unauthorized_client)',
    ],
    [
      'the provider fails',
      { token: () => ({ status: 503, body: 's3cret' }) },
      'a refresh was rejected with status 503',
    ],
    [
      'the refresh is redirected',
      { token: () => ({ status: 307, headers: { location: 'https://127.0.0.1/evil' } }) },
      'a refresh was rejected with status 307',
    ],
    [
      'the response is not JSON',
      { token: () => ({ body: 's3cret' }) },
      'the response to a refresh is not a JSON object',
    ],
    [
      'the response has no id token',
      { token: () => ({ body: { access_token: 's3cret' } }) },
      'it responds to refreshes without an id token: configure the token itself instead',
    ],
    [
      'the id token is invalid',
      { token: () => ({ body: { id_token: 's3cret' } }) },
      'its response has an id token that cannot be parsed',
    ],
    [
      'the id token has no expiration',
      { token: () => ({ body: { id_token: `${encode({})}.${encode({ sub: 's3cret' })}.c2ln` } }) },
      'its response has an id token that cannot be parsed',
    ],
    [
      'the response is too long',
      { token: () => ({ body: 's3cret'.repeat(MAX_RESPONSE_BYTES) }) },
      `no new id token: the response is longer than ${MAX_RESPONSE_BYTES} bytes`,
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
    const next = idToken(start + HOUR_MS);
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
