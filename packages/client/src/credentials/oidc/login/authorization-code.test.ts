import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { systemEnv } from '@orch/machinery/env';
import type { OidcProvider } from '../provider.ts';
import { encode } from '../testing/token-server.ts';
import { authorizationRequest } from './authorization-code.ts';
import { loginTokens } from './login-tokens.ts';

const client = { idpIssuerUrl: 'https://login.test', clientId: 'orch' };
const provider: OidcProvider = {
  tokenEndpoint: new URL('https://login.test/token'),
  authorizationEndpoint: new URL('https://login.test/auth?tenant=a'),
  deviceEndpoint: undefined,
  revocationEndpoint: undefined,
  sendsIssuer: true,
  authentications: ['body'],
};
const { random } = systemEnv();
const redirectUrl = 'http://127.0.0.1:1/callback';

describe('logins by authorization code', () => {
  it('each login has its own state, nonce and secret, and only the hash of the secret is in the address', () => {
    const context = { client, provider, scope: 'openid' };
    const requests = [1, 2].map(() => authorizationRequest(context, { redirectUrl, random }));
    const secrets = requests.flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    assert.equal(new Set(secrets).size, 6);
    for (const { url, state, nonce, verifier } of requests) {
      assert.ok(verifier.length >= 43 && !url.href.includes(verifier));
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        tenant: 'a',
        response_type: 'code',
        client_id: 'orch',
        redirect_uri: redirectUrl,
        scope: 'openid',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
    }
  });

  it('an id token with another nonce, or without one, is refused', () => {
    for (const nonce of ['other', undefined]) {
      const claims = { iss: client.idpIssuerUrl, aud: 'orch', exp: 1, nonce };
      const response = { status: 200, code: undefined, body: { id_token: `e30.${encode(claims)}.c2ln` } };
      assert.throws(() => loginTokens(response, { client, nonce: 'mine' }), /its nonce differs\)$/);
    }
  });
});
