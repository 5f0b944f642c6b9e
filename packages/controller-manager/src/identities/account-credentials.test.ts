import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type Transport, type TransportRequest } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { accountCredentials } from './account-credentials.ts';

const never = new AbortController().signal;
const hour = 3_600_000;
const token = '/api/v1/namespaces/orch-system/serviceaccounts/keeper/token';
const accounts = '/api/v1/namespaces/orch-system/serviceaccounts';

/** A server that knows accounts and gives out tokens, numbered; `during` runs within each request. */
function fixture(options: { readonly exists?: boolean; readonly lifeMs?: number } = {}) {
  const env = testEnv();
  const requests: string[] = [];
  let exists = options.exists ?? true;
  let count = 0;
  let failure: number | undefined;
  const answer = ({ method, target, body }: TransportRequest): [number, object] => {
    requests.push(`${method} ${target.split('?')[0]}`);
    if (failure !== undefined) return [failure, { kind: 'Status', code: failure, reason: 'InternalError' }];
    if (target.startsWith(token)) {
      if (!exists) return [404, { kind: 'Status', code: 404, reason: 'NotFound' }];
      const { spec } = JSON.parse(Buffer.from(body ?? []).toString()) as {
        spec: { expirationSeconds: number };
      };
      assert.equal(spec.expirationSeconds, 3600);
      const end = new Date(env.clock.now() + (options.lifeMs ?? hour)).toISOString();
      return [
        201,
        { kind: 'TokenRequest', metadata: {}, status: { token: `t${++count}`, expirationTimestamp: end } },
      ];
    }
    exists = true;
    return [201, JSON.parse(Buffer.from(body ?? []).toString()) as object];
  };
  const transport: Transport = {
    async send(request) {
      const [status, content] = answer(request);
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
  const credentials = accountCredentials({ client, account: 'keeper', env, signal: never });
  return {
    env,
    requests,
    credentials,
    fail: (code: number | undefined) => {
      failure = code;
    },
    said: async () => (await credentials.current(never)).headers['authorization'],
  };
}

describe('the credentials of a service account', () => {
  it('are one token for all who ask at the same time, and for as long as it is fresh', async () => {
    const { said, requests, env } = fixture();
    assert.deepEqual(await Promise.all([said(), said(), said()]), ['Bearer t1', 'Bearer t1', 'Bearer t1']);
    env.clock.advance(0.79 * hour);
    assert.equal(await said(), 'Bearer t1');
    assert.deepEqual(requests, [`POST ${token}`]);
  });

  it('are renewed when four fifths of their life are over, while the old ones are still used', async () => {
    const { said, requests, env } = fixture();
    await said();
    env.clock.advance(0.8 * hour);
    assert.equal(await said(), 'Bearer t1');
    await new Promise(setImmediate);
    assert.equal(await said(), 'Bearer t2');
    assert.equal(requests.length, 2);
  });

  it('go by the life that the server gives', async () => {
    const { said, env } = fixture({ lifeMs: hour / 6 });
    await said();
    env.clock.advance(hour / 6);
    assert.equal(await said(), 'Bearer t2');
  });

  it('stay in use when they cannot be renewed yet, until they end', async () => {
    const { said, env, fail } = fixture();
    await said();
    fail(500);
    env.clock.advance(0.9 * hour);
    assert.equal(await said(), 'Bearer t1');
    await new Promise(setImmediate);
    assert.ok(env.entries.some((entry) => entry['msg'] === 'a token could not be renewed yet'));
    env.clock.advance(0.1 * hour);
    await assert.rejects(said(), { name: 'ApiError' });
    fail(undefined);
    assert.equal(await said(), 'Bearer t2');
  });

  it('begin with the account, when it is missing', async () => {
    const { said, requests } = fixture({ exists: false });
    assert.equal(await said(), 'Bearer t1');
    assert.deepEqual(requests, [`POST ${token}`, `POST ${accounts}`, `POST ${token}`]);
  });

  it('are forgotten when the server does not know them, unless they are others by then', async () => {
    const { credentials } = fixture();
    const first = await credentials.current(never);
    assert.equal(credentials.rejected(first), true);
    const second = await credentials.current(never);
    assert.equal(second.headers['authorization'], 'Bearer t2');
    assert.equal(credentials.rejected(first), true);
    assert.equal(await credentials.current(never), second);
  });

  it('stop being waited for with the signal, and are found for others all the same', async () => {
    const { credentials, said } = fixture();
    await assert.rejects(credentials.current(AbortSignal.abort(new Error('enough'))), /enough/);
    assert.equal(await said(), 'Bearer t1');
  });
});
