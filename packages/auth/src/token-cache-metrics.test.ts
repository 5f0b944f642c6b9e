import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { credentials, TokenFixture } from './testing/token-fixture.ts';
import { TokenCacheMetrics } from './token-cache-metrics.ts';
import type { Authentication } from './types.ts';

const user: Authentication = { kind: 'user', user: { name: 'u', uid: '', groups: [], extra: {} } };
const value = (text: string, name: string, status: string): number =>
  Number(
    new RegExp(`^authentication_token_cache_${name}\\{status="${status}"\\} (\\S+)$`, 'm').exec(text)?.[1],
  );

describe('metrics of cached tokens', () => {
  it('one fetch for a token is counted, and the requests that wait for it', async () => {
    const metrics = createMetrics();
    const clock = new FakeClock();
    const cache = new TokenCacheMetrics(metrics, clock);
    const { promise, resolve } = Promise.withResolvers<Authentication>();
    const all = [1, 2, 3].map(() => cache.during('token', cache.begin(), promise));
    const other = cache.during('other', cache.begin(), promise);
    assert.equal(value(metrics.text(), 'active_fetch_count', 'in_flight'), 2);
    assert.equal(value(metrics.text(), 'active_fetch_count', 'blocked'), 2);
    clock.advance(20);
    resolve(user);
    await Promise.all([...all, other]);
    const text = metrics.text();
    assert.equal(value(text, 'active_fetch_count', 'in_flight'), 0);
    assert.equal(value(text, 'active_fetch_count', 'blocked'), 0);
    assert.equal(value(text, 'request_total', 'miss'), 4);
    assert.match(text, /request_duration_seconds_bucket\{status="miss",le="0.01"\} 0\n/);
    assert.match(text, /request_duration_seconds_bucket\{status="miss",le="0.025"\} 4\n/);
  });

  for (const [what, work] of [
    ['rejects', async (): Promise<Authentication> => ({ kind: 'rejected', reason: 'x' })],
    ['fails', (): Promise<Authentication> => Promise.reject(new Error('broken'))],
  ] as const) {
    it(`a fetch is counted as an error when it ${what}`, async () => {
      const metrics = createMetrics();
      const cache = new TokenCacheMetrics(metrics, new FakeClock());
      await cache.during('token', cache.begin(), work()).catch(() => undefined);
      assert.equal(value(metrics.text(), 'fetch_total', 'error'), 1);
      assert.equal(value(metrics.text(), 'fetch_total', 'ok'), 0);
    });
  }

  it('tokens of service accounts are counted, on one connection and on many', async () => {
    const fixture = new TokenFixture();
    const authenticator = fixture.authenticator();
    const request = credentials(await fixture.token());
    for (const one of [request, request, { ...request, connection: {} }])
      await authenticator.authenticate(one);
    for (const _ of [1, 2]) await authenticator.authenticate(credentials('a.b.c'));
    await authenticator.authenticate(credentials('static'));
    const text = fixture.env.metrics.text();
    assert.deepEqual(
      ['hit', 'miss'].map((status) => value(text, 'request_total', status)),
      [3, 2],
    );
    assert.deepEqual(
      ['ok', 'error'].map((status) => value(text, 'fetch_total', status)),
      [1, 1],
    );
  });
});
