import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@orch/machinery/env';
import OidcProvider from 'oidc-provider';
import { serving } from '../../transport/testing/certificates.ts';
import { CredentialError } from '../credential-error.ts';
import type { Identity } from '../types.ts';
import type { RefreshedTokens } from './config.ts';
import { oidcCredentials } from './oidc-credentials.ts';

const { signal } = new AbortController();
const clientSecret = 'a secret: of two words';
const grantTypes = ['authorization_code', 'refresh_token'];
const client = { redirect_uris: ['https://127.0.0.1/cb'], grant_types: grantTypes, response_types: ['code'] };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const configuration = {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
  clients: [
    { ...client, client_id: 'header', client_secret: clientSecret },
    {
      ...client,
      client_id: 'body',
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_post',
    },
    { ...client, client_id: 'public', token_endpoint_auth_method: 'none' },
  ],
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
  ttl: { IdToken: 3600, AccessToken: 60, Grant: 3600, RefreshToken: 3600 },
};

/** A real provider over TLS. */
async function startProvider() {
  let handle: ReturnType<OidcProvider['callback']> = () => Promise.resolve();
  const server = createServer({ ...serving }, (incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new OidcProvider(issuer, configuration);
  handle = provider.callback();
  /** The outcome of the login of a user. */
  const login = async (accountId: string, clientId: string): Promise<string> => {
    const grant = new provider.Grant({ accountId, clientId });
    const scope = 'openid offline_access';
    grant.addOIDCScope(scope);
    const grantId = await grant.save();
    const found = await provider.Client.find(clientId);
    assert.ok(found);
    const gty = 'authorization_code';
    return new provider.RefreshToken({ accountId, client: found, grantId, scope, gty }).save();
  };
  return { issuer, login, close: () => server.close() };
}

const claimsOf = ({ headers }: Identity): unknown => {
  const payload = String(headers['authorization']).split('.')[1] ?? '';
  const { iss, aud, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return { iss, aud, sub };
};

describe('refreshes at a real OIDC provider', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  before(async () => {
    provider = await startProvider();
  });
  after(() => provider.close());

  const configOf = (clientId: string, refreshToken: string) => ({
    idpIssuerUrl: provider.issuer,
    clientId,
    refreshToken,
    ca: serving.cert,
    ...(clientId !== 'public' && { clientSecret }),
  });

  for (const clientId of ['header', 'body', 'public'])
    it(`a real provider returns an id token and the next refresh token to the client ${clientId}`, async () => {
      const refreshToken = await provider.login('u1', clientId);
      const persisted: RefreshedTokens[] = [];
      let now = systemClock.now();
      const credentials = oidcCredentials(configOf(clientId, refreshToken), {
        env: { clock: { ...systemClock, now: () => now } },
        persist: (tokens) => void persisted.push(tokens),
      });
      const first = await credentials.current(signal);
      assert.deepEqual(claimsOf(first), { iss: provider.issuer, aud: clientId, sub: 'u1' });
      assert.equal(await credentials.current(signal), first);
      now += 3_600_000;
      // The provider takes a refresh token once: this works with the one that came with the first refresh.
      const second = await credentials.current(signal);
      assert.deepEqual(claimsOf(second), claimsOf(first));
      assert.equal(new Set([refreshToken, ...persisted.map((tokens) => tokens.refreshToken)]).size, 3);
      assert.deepEqual(
        persisted.map(({ idToken }) => `Bearer ${idToken}`),
        [first, second].map(({ headers }) => headers['authorization']),
      );
    });

  for (const [title, clientId, changes, problem] of [
    [
      'an unknown refresh token',
      'header',
      { refreshToken: 'no such token' },
      'the refresh token is refused (invalid_grant): a new login is needed',
    ],
    [
      'a wrong secret',
      'header',
      { clientSecret: 'another' },
      'the client id or its secret is refused (invalid_client)',
    ],
    [
      'the refresh token of another client',
      'body',
      {},
      'the refresh token is refused (invalid_grant): a new login is needed',
    ],
  ] as const)
    it(`a real provider rejects ${title}`, async () => {
      const config = { ...configOf(clientId, await provider.login('u1', 'header')), ...changes };
      await assert.rejects(
        oidcCredentials(config, { env: { clock: systemClock } }).current(signal),
        new CredentialError(
          `OIDC provider ${provider.issuer}: ${problem}`,
          problem.includes('invalid_grant') ? { kind: 'loginNeeded' } : {},
        ),
      );
    });
});
