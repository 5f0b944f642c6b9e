import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { systemClock, systemRandom } from '@orch/machinery/env';
import { ConsoleLogin } from './console-login.ts';

const env = { clock: systemClock, random: systemRandom };

describe('logins of the console', () => {
  it('at most eight requests to a provider that does not answer are in progress, and end with their clients', async () => {
    await using provider = createServer().listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const idpIssuerUrl = `https://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const login = new ConsoleLogin({ client: { idpIssuerUrl, clientId: 'console' }, scopes: [], env });
    const left = new AbortController();
    const begin = (): Promise<unknown> => login.begin('https://here/console/', left.signal);
    const waiting = Array.from({ length: 8 }, () => begin().catch((error: unknown) => error));
    await assert.rejects(begin(), (error) => error instanceof ApiError && error.status.code === 429);
    const reason = new Error('the page has left');
    left.abort(reason);
    for (const one of await Promise.all(waiting)) assert.ok(one instanceof Error);
    await assert.rejects(begin(), (error) => !(error instanceof ApiError));
  });
});
