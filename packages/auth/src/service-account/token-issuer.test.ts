import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audience, issuer, TokenFixture } from '../testing/token-fixture.ts';

const user = 'system:serviceaccount:apps:robot';

describe('token issuer', () => {
  const account = { namespace: 'apps', name: 'robot', uid: 'account-1' };
  const boundTo = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  const other = ['https://other.example'];
  for (const [title, options, requested, reported, lifetime, warns] of [
    ['a token has the requested lifetime', {}, { expirationSeconds: 900 }, 900, 900, undefined],
    [
      'a token has at most the maximum lifetime',
      { maxSeconds: 3600 },
      { expirationSeconds: 9000 },
      3600,
      3600,
      undefined,
    ],
    [
      'the default token of a pod is valid for a year and reports the requested lifetime',
      {},
      { expirationSeconds: 3607, boundTo },
      3607,
      31_536_000,
      3607,
    ],
    [
      'the default token of a pod is valid for at most the maximum lifetime',
      { maxSeconds: 7200 },
      { expirationSeconds: 3607, boundTo },
      3607,
      7200,
      3607,
    ],
    [
      'a token of a pod with another lifetime is not extended',
      {},
      { expirationSeconds: 3600, boundTo },
      3600,
      3600,
      undefined,
    ],
    [
      'a token of a pod for another audience is not extended',
      {},
      { expirationSeconds: 3607, boundTo, audiences: other },
      3607,
      3607,
      undefined,
    ],
    [
      'the default token of a pod is not extended when extension is disabled',
      { extend: false },
      { expirationSeconds: 3607, boundTo },
      3607,
      3607,
      undefined,
    ],
    [
      'a token that is not bound to a pod is not extended',
      {},
      { expirationSeconds: 3607 },
      3607,
      3607,
      undefined,
    ],
  ] as const) {
    it(title, async () => {
      const fixture = new TokenFixture();
      const issued = await fixture.issuer(options).issue({ account, audiences: [audience], ...requested });
      const [head = '', body = ''] = issued.token.split('.');
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
      assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), {
        alg: 'ES256',
        kid: fixture.key.id,
      });
      const now = fixture.seconds;
      assert.deepEqual([issued.expirationSeconds, issued.expiresAt], [reported, (now + reported) * 1000]);
      assert.deepEqual([claims.iss, claims.sub, claims.iat, claims.nbf], [issuer, user, now, now]);
      assert.equal(claims.exp, now + lifetime);
      const own = claims['orch.io'];
      assert.equal(own.warnafter, warns === undefined ? undefined : now + warns);
      assert.deepEqual(own.pod, 'boundTo' in requested ? { name: 'web', uid: 'pod-1' } : undefined);
      assert.deepEqual(own.serviceaccount, { name: 'robot', uid: 'account-1' });
    });
  }
});
