import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { CredentialError } from '../../credential-error.ts';
import { discoverProvider } from '../provider.ts';
import { configOf, signal, start } from '../testing/fixtures.ts';
import { encode, type Reply, type TokenServer, tokenServer } from '../testing/token-server.ts';
import { startDeviceLogin, waitForDevice } from './device-code.ts';
import type { LoginContext } from './login-tokens.ts';

const begun = {
  device_code: 'device-s3cret',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://login.test/device',
  expires_in: 60,
  interval: 5,
};

/** A provider whose one endpoint begins logins, and answers polls in order; the last answer repeats. */
const provider = (first: object, ...polls: Reply[]): Promise<TokenServer> => {
  let poll = 0;
  return tokenServer({
    discovery: (issuer) => {
      const endpoint = `${issuer}/token`;
      return { body: { issuer, token_endpoint: endpoint, device_authorization_endpoint: endpoint } };
    },
    token: ({ form }) =>
      form['grant_type'] === undefined ? { body: first } : (polls[Math.min(poll++, polls.length - 1)] ?? {}),
  });
};
const contextOf = async (server: TokenServer): Promise<LoginContext> => {
  const client = configOf(server);
  return { client, provider: await discoverProvider(client, signal), scope: 'openid' };
};
const failure = (error: string): Reply => ({ status: 400, body: { error } });
const tokenFor = (claims: object): Reply => {
  const idToken = `${encode({ alg: 'RS256' })}.${encode({ exp: 1, ...claims })}.c2ln`;
  return { body: { id_token: idToken, refresh_token: 'next' } };
};

describe('logins by device code', () => {
  it('the provider is polled at its interval, slower on request, until the user has logged in', async () => {
    let reply: Reply = {};
    await using server = await provider(begun, failure('authorization_pending'), failure('slow_down'), {
      get body() {
        return reply.body;
      },
    });
    reply = tokenFor({ iss: server.issuer, aud: ['other', 'orch'] });
    const clock = new FakeClock(start);
    const context = await contextOf(server);
    const device = await startDeviceLogin(context, signal);
    const tokens = waitForDevice({ ...context, clock }, device, signal);
    for (const [requests, ms] of [
      [1, 5_000],
      [2, 5_000],
      [3, 10_000],
    ] as const) {
      await until(() => server.requests.length === requests && clock.pending === 1);
      clock.advance(ms - 1);
      assert.equal(server.requests.length, requests);
      clock.advance(1);
    }
    assert.equal((await tokens).refreshToken, 'next');
    assert.equal(server.requests.at(-1)?.form['device_code'], 'device-s3cret');
  });

  for (const [title, polls, problem] of [
    ['is denied', [failure('access_denied')], 'the login was denied (access_denied)'],
    ['has expired at the provider', [failure('expired_token')], 'the login failed (expired_token)'],
    ['has an unknown failure', [failure('device-s3cret')], 'the login was rejected with status 400'],
    ['is for another client', [tokenFor({ aud: 'other' })], 'the id token is for another client'],
    [
      'is of another issuer',
      [tokenFor({ iss: 'https://evil.test' })],
      'the id token is that of another issuer',
    ],
    [
      'has no id token',
      [{ body: { access_token: 'device-s3cret' } }],
      'the response to the login has no id token: the scopes must include openid',
    ],
    ['has an unusable id token', [{ body: { id_token: 'device-s3cret' } }], 'the id token cannot be parsed'],
  ] as const)
    it(`a login by device code that ${title} has an error without secrets`, async () => {
      let issuer = '';
      const answers = polls.map((reply: Reply): Reply => {
        const { body } = reply as { body: { id_token?: string } };
        const claims = body.id_token?.split('.')[1];
        if (claims === undefined) return reply;
        return {
          get body() {
            return tokenFor({ iss: issuer, ...JSON.parse(Buffer.from(claims, 'base64url').toString()) }).body;
          },
        };
      });
      await using server = await provider(begun, ...answers);
      issuer = server.issuer;
      const clock = new FakeClock(start);
      const context = await contextOf(server);
      const tokens = waitForDevice({ ...context, clock }, await startDeviceLogin(context, signal), signal);
      clock.advance(5_000);
      await assert.rejects(tokens, new CredentialError(`OIDC provider ${issuer}: ${problem}`));
    });

  it('polls end when the code has expired, also when the provider does not report it', async () => {
    await using server = await provider({ ...begun, expires_in: 5 }, failure('authorization_pending'));
    const clock = new FakeClock(start);
    const context = await contextOf(server);
    const tokens = waitForDevice({ ...context, clock }, await startDeviceLogin(context, signal), signal);
    clock.advance(5_000);
    await assert.rejects(tokens, /the login failed \(expired_token\)$/);
  });

  for (const [title, changes] of [
    ['a code that changes the terminal', { user_code: '\x1b[2JABCD' }],
    ['no code', { user_code: '' }],
    ['an address without TLS', { verification_uri: 'http://login.test/device' }],
    ['an address of another scheme', { verification_uri: 'javascript:alert(1)' }],
    ['no device code', { device_code: 1 }],
  ] as const)
    it(`a provider that begins a login with ${title} is refused`, async () => {
      await using server = await provider({ ...begun, ...changes });
      const context = await contextOf(server);
      await assert.rejects(
        startDeviceLogin(context, signal),
        /its response to the start of a login is not usable$/,
      );
    });
});
