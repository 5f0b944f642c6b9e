import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type Transport, type TransportRequest } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { accountCredentials } from './account-credentials.ts';
import { missingAccounts } from './missing-accounts.ts';

const never = new AbortController().signal;
const HOUR_MS = 3_600_000;
const token = '/api/v1/namespaces/orch-system/serviceaccounts/keeper/token';
const accounts = '/api/v1/namespaces/orch-system/serviceaccounts';

/** A server with one account, which issues numbered tokens. */
function fixture(
  options: { readonly exists?: boolean; readonly lifetimeMs?: number; readonly listed?: boolean } = {},
) {
  const env = testEnv();
  const requests: string[] = [];
  let exists = options.exists ?? true;
  let count = 0;
  let failure: number | undefined;
  const respond = ({ method, target, body }: TransportRequest): [number, object] => {
    requests.push(`${method} ${target.split('?')[0]}`);
    if (failure !== undefined) return [failure, { kind: 'Status', code: failure, reason: 'InternalError' }];
    if (target.startsWith(token)) {
      if (!exists) return [404, { kind: 'Status', code: 404, reason: 'NotFound' }];
      const { spec } = JSON.parse(Buffer.from(body ?? []).toString()) as {
        spec: { expirationSeconds: number };
      };
      assert.equal(spec.expirationSeconds, 3600);
      const end = new Date(env.clock.now() + (options.lifetimeMs ?? HOUR_MS)).toISOString();
      return [
        201,
        { kind: 'TokenRequest', metadata: {}, status: { token: `t${++count}`, expirationTimestamp: end } },
      ];
    }
    if (method === 'GET')
      return [
        200,
        { kind: 'ServiceAccountList', metadata: {}, items: exists ? [{ metadata: { name: 'keeper' } }] : [] },
      ];
    exists = true;
    return [201, JSON.parse(Buffer.from(body ?? []).toString()) as object];
  };
  const transport: Transport = {
    async send(request) {
      const [status, content] = respond(request);
      const bytes = Buffer.from(JSON.stringify(content));
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
    reset: () => undefined,
    close: async () => undefined,
  };
  const client = createClient({ transport, names: namesFor('orch'), env, userAgent: 'test' });
  const isMissing = options.listed === true ? missingAccounts(client, never) : async () => false;
  const credentials = accountCredentials({ client, account: 'keeper', isMissing, env, signal: never });
  return {
    env,
    requests,
    credentials,
    fail: (code: number | undefined) => {
      failure = code;
    },
    authorization: async () => (await credentials.current(never)).headers['authorization'],
  };
}

describe('the credentials of a service account', () => {
  it('concurrent and later callers share one token until it is renewed', async () => {
    const { authorization, requests, env } = fixture();
    assert.deepEqual(await Promise.all([authorization(), authorization(), authorization()]), [
      'Bearer t1',
      'Bearer t1',
      'Bearer t1',
    ]);
    env.clock.advance(0.79 * HOUR_MS);
    assert.equal(await authorization(), 'Bearer t1');
    assert.deepEqual(requests, [`POST ${token}`]);
  });

  it('a token is renewed after 80 % of its lifetime, and stays in use meanwhile', async () => {
    const { authorization, requests, env } = fixture();
    await authorization();
    env.clock.advance(0.8 * HOUR_MS);
    assert.equal(await authorization(), 'Bearer t1');
    await new Promise(setImmediate);
    assert.equal(await authorization(), 'Bearer t2');
    assert.equal(requests.length, 2);
  });

  it('a token is renewed by the lifetime of the response', async () => {
    const { authorization, env } = fixture({ lifetimeMs: HOUR_MS / 6 });
    await authorization();
    env.clock.advance(HOUR_MS / 6);
    assert.equal(await authorization(), 'Bearer t2');
  });

  it('a token stays in use until it expires when its renewal fails', async () => {
    const { authorization, env, fail } = fixture();
    await authorization();
    fail(500);
    env.clock.advance(0.9 * HOUR_MS);
    assert.equal(await authorization(), 'Bearer t1');
    await new Promise(setImmediate);
    assert.ok(env.entries.some((entry) => entry['msg'] === 'cannot renew a token'));
    env.clock.advance(0.1 * HOUR_MS);
    await assert.rejects(authorization(), { name: 'ApiError' });
    fail(undefined);
    assert.equal(await authorization(), 'Bearer t2');
  });

  it('a missing service account is created before its token', async () => {
    const { authorization, requests } = fixture({ exists: false });
    assert.equal(await authorization(), 'Bearer t1');
    assert.deepEqual(requests, [`POST ${token}`, `POST ${accounts}`, `POST ${token}`]);
  });

  it('at a first start a missing service account is created without a failed request, and an existing one is not', async () => {
    const missing = fixture({ exists: false, listed: true });
    assert.equal(await missing.authorization(), 'Bearer t1');
    assert.deepEqual(missing.requests, [`GET ${accounts}`, `POST ${accounts}`, `POST ${token}`]);
    const existing = fixture({ listed: true });
    assert.equal(await existing.authorization(), 'Bearer t1');
    assert.deepEqual(existing.requests, [`GET ${accounts}`, `POST ${token}`]);
  });

  it('when accounts cannot be listed, the token is requested as that of an existing one', async () => {
    const { authorization, requests, fail } = fixture({ listed: true });
    fail(500);
    await assert.rejects(authorization(), { name: 'ApiError' });
    fail(undefined);
    assert.equal(await authorization(), 'Bearer t1');
    assert.deepEqual(requests.filter((one) => one.startsWith('GET')).length > 0, true);
  });

  it('a rejected token is discarded, unless it was renewed meanwhile', async () => {
    const { credentials } = fixture();
    const first = await credentials.current(never);
    assert.equal(credentials.rejected(first), true);
    const second = await credentials.current(never);
    assert.equal(second.headers['authorization'], 'Bearer t2');
    assert.equal(credentials.rejected(first), true);
    assert.equal(await credentials.current(never), second);
  });

  it('an aborted caller stops waiting, and the request completes for other callers', async () => {
    const { credentials, authorization } = fixture();
    await assert.rejects(credentials.current(AbortSignal.abort(new Error('enough'))), /enough/);
    assert.equal(await authorization(), 'Bearer t1');
  });
});
