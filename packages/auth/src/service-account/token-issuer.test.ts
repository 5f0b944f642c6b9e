import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audience, issuer, TokenWorld } from '../testing/token-world.ts';

const user = 'system:serviceaccount:apps:robot';

describe('issued tokens', () => {
  const account = { namespace: 'apps', name: 'robot', uid: 'account-1' };
  const boundTo = { kind: 'pod', name: 'web', uid: 'pod-1' } as const;
  const other = ['https://other.example'];
  for (const [what, options, wanted, told, lives, warns] of [
    ['live as long as wanted', {}, { expirationSeconds: 900 }, 900, 900, undefined],
    ['live no longer than allowed', { maxSeconds: 3600 }, { expirationSeconds: 9000 }, 3600, 3600, undefined],
    [
      'of pods as by themselves live for a year',
      {},
      { expirationSeconds: 3607, boundTo },
      3607,
      31_536_000,
      3607,
    ],
    [
      'of pods live for a year where that is allowed',
      { maxSeconds: 7200 },
      { expirationSeconds: 3607, boundTo },
      3607,
      7200,
      3607,
    ],
    [
      'of pods live as wanted when it is another time',
      {},
      { expirationSeconds: 3600, boundTo },
      3600,
      3600,
      undefined,
    ],
    [
      'of pods live as wanted when they are for others',
      {},
      { expirationSeconds: 3607, boundTo, audiences: other },
      3607,
      3607,
      undefined,
    ],
    [
      'of pods live as wanted when that is switched off',
      { extend: false },
      { expirationSeconds: 3607, boundTo },
      3607,
      3607,
      undefined,
    ],
    ['of no pod live as wanted', {}, { expirationSeconds: 3607 }, 3607, 3607, undefined],
  ] as const) {
    it(what, () => {
      const world = new TokenWorld();
      const issued = world.issuer(options).issue({ account, audiences: [audience], ...wanted });
      const [head = '', body = ''] = issued.token.split('.');
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
      assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), {
        alg: 'ES256',
        kid: world.key.id,
      });
      const now = world.seconds;
      assert.deepEqual([issued.expirationSeconds, issued.expiresAt], [told, (now + told) * 1000]);
      assert.deepEqual([claims.iss, claims.sub, claims.iat, claims.nbf], [issuer, user, now, now]);
      assert.equal(claims.exp, now + lives);
      const own = claims['orch.io'];
      assert.equal(own.warnafter, warns === undefined ? undefined : now + warns);
      assert.deepEqual(own.pod, 'boundTo' in wanted ? { name: 'web', uid: 'pod-1' } : undefined);
      assert.deepEqual(own.serviceaccount, { name: 'robot', uid: 'account-1' });
    });
  }
});
