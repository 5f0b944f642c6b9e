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
  return { env, sendRequest: (path: string, query = '') => health.answer(path, query, signal) };
}

const good = (name: string): HealthCheck => ({ name, run: () => healthy });
const bad = (name: string): HealthCheck => ({ name, run: async () => unhealthy('a secret') });

describe('health endpoints', () => {
  it('the answer is ok when all checks pass', async () => {
    const { sendRequest } = healthOf(good('ping'), good('etcd'));
    for (const path of ['/livez', '/readyz', '/healthz', '/readyz/etcd', '/livez/ping']) {
      assert.deepEqual(await sendRequest(path), { status: 200, text: 'ok' });
    }
  });

  it('a verbose request lists each check', async () => {
    const { sendRequest } = healthOf(good('ping'), good('poststarthook/x'));
    const text = '[+]ping ok\n[+]poststarthook/x ok\nhealthz check passed\n';
    assert.deepEqual(await sendRequest('/healthz', 'verbose'), { status: 200, text });
    assert.match((await sendRequest('/livez', 'verbose=1')).text, /\nlivez check passed\n$/);
  });

  it('a failed check answers 500 with every check, and its reason is only logged', async () => {
    const { sendRequest, env } = healthOf(good('ping'), bad('etcd'));
    assert.deepEqual(await sendRequest('/readyz'), {
      status: 500,
      text: '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
    });
    assert.equal(env.entries[0]?.['reason'], 'a secret');
    assert.equal((await sendRequest('/readyz/ping')).status, 200);
  });

  it('a failed notice is shown without a failure, unless requested alone', async () => {
    const { sendRequest } = healthOf(good('ping'), { ...bad('storage-space'), isNotice: true });
    assert.deepEqual(await sendRequest('/readyz'), { status: 200, text: 'ok' });
    const line = '[!]storage-space failed without effect here: reason withheld';
    assert.equal(
      (await sendRequest('/readyz', 'verbose')).text,
      `[+]ping ok\n${line}\nreadyz check passed\n`,
    );
    assert.equal((await sendRequest('/readyz/storage-space')).status, 500);
  });

  it('excluded checks are omitted, and unknown ones are reported', async () => {
    const { sendRequest } = healthOf(good('ping'), bad('etcd'));
    assert.deepEqual(await sendRequest('/readyz', 'exclude=etcd'), { status: 200, text: 'ok' });
    assert.deepEqual((await sendRequest('/readyz', 'exclude=etcd&verbose&exclude=other')).text.split('\n'), [
      '[+]ping ok',
      '[+]etcd excluded: ok',
      'warn: some health checks cannot be excluded: no matches for "other"',
      'readyz check passed',
      '',
    ]);
  });

  it('unknown excluded checks are reported in the order of their names', async () => {
    const { sendRequest } = healthOf(good('ping'));
    const { status, text } = await sendRequest('/livez', 'verbose&exclude=z&exclude=a');
    assert.equal(status, 200);
    assert.match(text, /^warn: some health checks cannot be excluded: no matches for "a", "z"$/m);
  });

  it('the reason of a failure is shown when the check is requested alone, for any query', async () => {
    const { sendRequest } = healthOf(good('ping'), bad('etcd'));
    for (const query of ['', 'verbose', 'exclude=etcd'])
      assert.deepEqual(await sendRequest('/readyz/etcd', query), {
        status: 500,
        text: 'internal server error: a secret\n',
      });
    assert.deepEqual(await sendRequest('/readyz/ping', 'verbose'), { status: 200, text: 'ok' });
  });

  it('other checks and paths answer 404', async () => {
    const { sendRequest } = healthOf(good('ping'), { ...bad('shutdown'), only: ['readyz'] });
    for (const path of ['/readyz/nothing', '/livez/shutdown', '/other'])
      assert.equal((await sendRequest(path)).status, 404);
    assert.equal((await sendRequest('/livez')).status, 200);
    assert.equal((await sendRequest('/readyz')).status, 500);
  });

  it('livez, and only livez, has a grace period for the steps of the start', async () => {
    const step = new StartStep('poststarthook/slow');
    const { sendRequest, env } = healthOf(good('ping'), step);
    assert.equal((await sendRequest('/livez')).status, 200);
    assert.equal((await sendRequest('/livez/poststarthook/slow')).status, 200);
    assert.equal((await sendRequest('/readyz')).status, 500);
    env.clock.advance(10_001);
    assert.equal((await sendRequest('/livez')).status, 500);
    step.done();
    assert.equal((await sendRequest('/livez')).status, 200);
    assert.equal((await sendRequest('/readyz')).status, 200);
  });

  it('a check that hangs or throws fails, and the others are answered', async () => {
    const { sendRequest, env } = healthOf(
      { name: 'hangs', run: () => new Promise(() => undefined) },
      {
        name: 'throws',
        run() {
          throw new Error('broken');
        },
      },
    );
    const answer = sendRequest('/readyz');
    await env.clock.advanceAsync(2_000);
    assert.match((await answer).text, /\[-\]hangs failed[\s\S]*\[-\]throws failed/);
  });
});
