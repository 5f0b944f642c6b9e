import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { HealthChecks, healthy, unhealthy } from '../health/checks.ts';
import { Health } from '../health/health.ts';
import { serveOps } from './ops-server.ts';

describe('ops port of a program', () => {
  it('the ops port serves health and metrics over plain HTTP, and nothing else', async () => {
    const env = testEnv();
    env.metrics.counter({ name: 'things_total', help: 'Things.' }).series().inc(3);
    const checks = new HealthChecks()
      .add({ name: 'ping', run: () => healthy })
      .add({ name: 'deep/check', run: () => unhealthy('no') });
    const health = new Health({ checks, clock: env.clock, log: env.log, livezGraceMs: 0 });
    const ops = await serveOps({ env, health, host: '127.0.0.1', port: 0 });
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${ops.port}${path}`);
      const metrics = await get('/metrics');
      assert.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
      assert.equal(metrics.headers.get('content-encoding'), 'gzip', 'fetch accepts it');
      assert.match(await metrics.text(), /\nthings_total 3\n/);
      const plain = await fetch(`http://127.0.0.1:${ops.port}/metrics`, {
        headers: { 'accept-encoding': 'identity' },
      });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.match(await plain.text(), /\nthings_total 3\n/);
      for (const [path, status] of [
        ['/livez', 500],
        ['/livez?exclude=deep%2Fcheck', 200],
        ['/readyz/ping', 200],
        ['/readyz/deep/check', 500],
        ['/readyzz', 404],
        ['/', 404],
        ['/%00', 404],
        ['/%ff', 404],
        ['/api/v1/pods', 404],
      ] as const) {
        const answer = await get(path);
        assert.equal(answer.status, status, path);
        assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
        assert.doesNotMatch(await answer.text(), /node_modules|at .*\.ts/);
      }
    } finally {
      await ops.close();
    }
  });
});
