import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { type HealthCheck, HealthChecks, healthy, StartStep, unhealthy } from './checks.ts';
import { Health } from './health.ts';

const signal = new AbortController().signal;

function healthOf(...checks: readonly HealthCheck[]) {
  const env = testEnv();
  const all = new HealthChecks();
  for (const check of checks) all.add(check);
  const health = new Health({ checks: all, clock: env.clock, log: env.log, livezGraceMs: 10_000 });
  return { env, ask: (path: string, query = '') => health.answer(path, query, signal) };
}

const good = (name: string): HealthCheck => ({ name, run: () => healthy });
const bad = (name: string): HealthCheck => ({ name, run: async () => unhealthy('a secret') });

describe('health endpoints', () => {
  it('say ok when all is well', async () => {
    const { ask } = healthOf(good('ping'), good('etcd'));
    for (const path of ['/livez', '/readyz', '/healthz', '/readyz/etcd', '/livez/ping']) {
      assert.deepEqual(await ask(path), { status: 200, text: 'ok' });
    }
  });

  it('print each check when asked to', async () => {
    const { ask } = healthOf(good('ping'), good('poststarthook/x'));
    const text = '[+]ping ok\n[+]poststarthook/x ok\nhealthz check passed\n';
    assert.deepEqual(await ask('/healthz', 'verbose'), { status: 200, text });
    assert.match((await ask('/livez', 'verbose=1')).text, /\nlivez check passed\n$/);
  });

  it('fail with 500 and every check, but keep the reason for the log', async () => {
    const { ask, env } = healthOf(good('ping'), bad('etcd'));
    assert.deepEqual(await ask('/readyz'), {
      status: 500,
      text: '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
    });
    assert.equal(env.entries[0]?.['reason'], 'a secret');
    assert.equal((await ask('/readyz/ping')).status, 200);
  });

  it('show a failed notice without failing, unless it is asked for alone', async () => {
    const { ask } = healthOf(good('ping'), { ...bad('storage-space'), isNotice: true });
    assert.deepEqual(await ask('/readyz'), { status: 200, text: 'ok' });
    const line = '[!]storage-space failed without effect here: reason withheld';
    assert.equal((await ask('/readyz', 'verbose')).text, `[+]ping ok\n${line}\nreadyz check passed\n`);
    assert.equal((await ask('/readyz/storage-space')).status, 500);
  });

  it('leave out what is excluded, and say when it does not exist', async () => {
    const { ask } = healthOf(good('ping'), bad('etcd'));
    assert.deepEqual(await ask('/readyz', 'exclude=etcd'), { status: 200, text: 'ok' });
    assert.deepEqual((await ask('/readyz', 'exclude=etcd&verbose&exclude=other')).text.split('\n'), [
      '[+]ping ok',
      '[+]etcd excluded: ok',
      'warn: some health checks cannot be excluded: no matches for "other"',
      'readyz check passed',
      '',
    ]);
  });

  it('say of several excluded checks that do not exist in the order of their names', async () => {
    const { ask } = healthOf(good('ping'));
    const { status, text } = await ask('/livez', 'verbose&exclude=z&exclude=a');
    assert.equal(status, 200);
    assert.match(text, /^warn: some health checks cannot be excluded: no matches for "a", "z"$/m);
  });

  it('say why a check failed where it alone was asked for, whatever else the query says', async () => {
    const { ask } = healthOf(good('ping'), bad('etcd'));
    for (const query of ['', 'verbose', 'exclude=etcd'])
      assert.deepEqual(await ask('/readyz/etcd', query), {
        status: 500,
        text: 'internal server error: a secret\n',
      });
    assert.deepEqual(await ask('/readyz/ping', 'verbose'), { status: 200, text: 'ok' });
  });

  it('know no other checks and paths', async () => {
    const { ask } = healthOf(good('ping'), { ...bad('shutdown'), only: ['readyz'] });
    for (const path of ['/readyz/nothing', '/livez/shutdown', '/other'])
      assert.equal((await ask(path)).status, 404);
    assert.equal((await ask('/livez')).status, 200);
    assert.equal((await ask('/readyz')).status, 500);
  });

  it('let the steps of the start take their time on livez, and only there', async () => {
    const step = new StartStep('poststarthook/slow');
    const { ask, env } = healthOf(good('ping'), step);
    assert.equal((await ask('/livez')).status, 200);
    assert.equal((await ask('/livez/poststarthook/slow')).status, 200);
    assert.equal((await ask('/readyz')).status, 500);
    env.clock.advance(10_001);
    assert.equal((await ask('/livez')).status, 500);
    step.done();
    assert.equal((await ask('/livez')).status, 200);
    assert.equal((await ask('/readyz')).status, 200);
  });

  it('do not wait for a check that hangs, nor fall over one that throws', async () => {
    const { ask, env } = healthOf(
      { name: 'hangs', run: () => new Promise(() => undefined) },
      {
        name: 'throws',
        run() {
          throw new Error('broken');
        },
      },
    );
    const answer = ask('/readyz');
    await env.clock.advanceAsync(2_000);
    assert.match((await answer).text, /\[-\]hangs failed[\s\S]*\[-\]throws failed/);
  });
});
