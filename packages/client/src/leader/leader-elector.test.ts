import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aborted } from '@orch/machinery/concurrency';
import { createClient } from '../create-client.ts';
import { configMap, configMaps, type TestClient, testClient } from '../testing/index.ts';
import { TransportError, type TransportRequest } from '../transport/transport.ts';
import { fencedTransport } from './fenced-transport.ts';
import { LeadershipLost } from './leadership.ts';
import { calm, candidate, lead, led, place, record } from './testing/candidates.ts';

describe('leader election', () => {
  it('the first candidate acquires the Lease, renews it, and the next one leads after its release', async () => {
    const test = testClient();
    const first = candidate(test, 'a');
    const second = candidate(test, 'b');
    const firstRun = first.run(lead, test.stop.signal);
    await calm();
    const secondStop = new AbortController();
    const secondRun = second.run(lead, secondStop.signal);
    await test.env.clock.advanceAsync(60_000);
    assert.deepEqual([first.isLeader, second.isLeader, second.leader], [true, false, 'a']);
    const { acquireTime, renewTime, ...rest } = record(test);
    assert.deepEqual(rest, { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    assert.match(acquireTime ?? '', /^2024-01-01T00:00:00\.\d{6}Z$/);
    assert.match(renewTime ?? '', /^2024-01-01T00:00:5\d\.\d{6}Z$/);
    assert.match(test.env.metrics.text(), /leader_election_master_status\{name="boss"\} 1\n/);
    test.stop.abort();
    assert.equal(await firstRun, 'stopped');
    assert.equal(record(test).holderIdentity, '');
    await test.env.clock.advanceAsync(2500);
    assert.deepEqual([first.isLeader, second.isLeader], [false, true]);
    assert.deepEqual([record(test).holderIdentity, record(test).leaseTransitions], ['b', 1]);
    secondStop.abort();
    await secondRun;
    assert.equal(test.env.clock.pending, 0);
  });

  it('a leader without connection stops in time, and no candidate leads before', async () => {
    let isCut = false;
    const test = testClient({
      between: async (_, __, send) => {
        if (isCut) throw new TransportError('notSent', 'there is no network');
        return await send();
      },
    });
    const elector = candidate(test, 'a');
    const run = elector.run(lead, test.stop.signal);
    await test.env.clock.advanceAsync(30_000);
    const renewedAt = Date.parse(record(test).renewTime ?? '');
    isCut = true;
    while (elector.isLeader) await test.env.clock.advanceAsync(100);
    const afterMs = test.env.clock.now() - renewedAt;
    assert.ok(afterMs >= 9900 && afterMs <= 10_100, `stopped ${afterMs} ms after the last renewal`);
    assert.equal(await run, 'lost');
    assert.ok(led.leadership?.signal.reason instanceof LeadershipLost);
    assert.equal(test.env.clock.pending, 0);
  });

  it('an expired leadership is detected by the clock before any timer runs', async () => {
    const test = testClient();
    let jump = 0;
    const { clock } = test.env;
    const env = {
      ...test.env,
      clock: {
        now: () => clock.now() + jump,
        monotonic: () => clock.monotonic() + jump,
        schedule: (ms: number, callback: () => void) => clock.schedule(ms, callback),
        scheduleAwaited: (ms: number, callback: () => void) => clock.scheduleAwaited(ms, callback),
      },
    };
    const run = candidate({ ...test, env: env as never }, 'a').run(lead, test.stop.signal);
    await calm();
    const { leadership } = led;
    assert.ok(leadership !== undefined);
    const transport = fencedTransport(test.api, leadership);
    const fenced = createClient({ transport, names: test.client.names, env, userAgent: 'work/1' });
    await fenced.resource(configMaps, 'default').create(configMap('before'));
    const reached = test.api.requests.length;
    // As if the process had been stopped for a minute: no timer has run, and the signal is not aborted.
    jump = 60_000;
    assert.equal(leadership.signal.aborted, false);
    await assert.rejects(fenced.resource(configMaps, 'default').create(configMap('after')), LeadershipLost);
    assert.equal(leadership.signal.aborted, true);
    assert.equal(test.api.requests.length, reached, 'nothing was sent');
    await test.env.clock.advanceAsync(5000);
    assert.equal(await run, 'lost');
  });

  it('no write is sent over a connection that opens after the expiration', async () => {
    let isValid = true;
    const written: string[] = [];
    const connecting = Promise.withResolvers<void>();
    const transport = {
      send: async ({ method, beforeWriting }: TransportRequest) => {
        await connecting.promise;
        beforeWriting?.();
        written.push(method);
        throw new Error('written');
      },
    };
    const leadership = {
      signal: new AbortController().signal,
      fence: { namespace: 'system', name: 'boss', uid: 'u-1', holder: 'a', transitions: 0 },
      isValid: () => isValid,
    };
    const fenced = fencedTransport(transport as never, leadership);
    const send = (method: string) =>
      fenced.send({ method, target: '/api/v1/configmaps', headers: {} }, leadership.signal);
    const write = assert.rejects(send('POST'), LeadershipLost);
    const read = assert.rejects(send('GET'), /written/);
    isValid = false;
    connecting.resolve();
    await Promise.all([write, read]);
    assert.deepEqual(written, ['GET']);
  });

  it('a record that changes is never taken over, independent of its times', async () => {
    const test = testClient();
    const spec = {
      holderIdentity: 'elsewhere',
      leaseDurationSeconds: 15,
      renewTime: '1999-01-01T00:00:00.000000Z',
      leaseTransitions: 7,
    };
    test.api.objects.create(place(test), { metadata: {}, spec }, '');
    const elector = candidate(test, 'a');
    const run = elector.run(lead, test.stop.signal);
    for (let i = 0; i < 10; i++) {
      await test.env.clock.advanceAsync(10_000);
      const renewTime = `1999-01-01T00:00:${10 + i}.000000Z`;
      test.api.objects.update(place(test), { metadata: {}, spec: { ...spec, renewTime } });
    }
    assert.equal(elector.isLeader, false);
    await test.env.clock.advanceAsync(14_900);
    assert.equal(elector.isLeader, false);
    await test.env.clock.advanceAsync(5000);
    assert.equal(elector.isLeader, true);
    assert.equal(record(test).leaseTransitions, 8);
    test.stop.abort();
    await run;
  });

  it('a candidate waits for the lease duration of the holder when that is longer', async () => {
    const test = testClient();
    const spec = { holderIdentity: 'patient', leaseDurationSeconds: 60, leaseTransitions: 0 };
    test.api.objects.create(place(test), { metadata: {}, spec }, '');
    const elector = candidate(test, 'a');
    const run = elector.run(lead, test.stop.signal);
    await test.env.clock.advanceAsync(59_000);
    assert.equal(elector.isLeader, false);
    await test.env.clock.advanceAsync(5000);
    assert.equal(elector.isLeader, true);
    test.stop.abort();
    await run;
  });

  it('a holder with the same identity counts as another process', async () => {
    const test = testClient();
    const run = candidate(test, 'same').run(lead, test.stop.signal);
    await calm();
    const other = candidate(test, 'same');
    const stop = new AbortController();
    const otherRun = other.run(lead, stop.signal);
    await test.env.clock.advanceAsync(120_000);
    assert.equal(other.isLeader, false);
    test.stop.abort();
    stop.abort();
    await Promise.all([run, otherRun]);
  });

  it('a write whose success is detected after its term starts no leadership', async () => {
    let isDeaf = true;
    const test = testClient({
      between: async (request, _, send) => {
        if (request.method === 'GET' && isDeaf && test.api.requests.length > 1) {
          throw new TransportError('notSent', 'there is no network');
        }
        const response = await send();
        if (request.method !== 'GET' && isDeaf) throw new TransportError('unknown', 'the answer was lost');
        return response;
      },
    });
    let began = 0;
    const elector = candidate(test, 'a');
    const run = elector.run(async ({ signal }) => {
      began++;
      await aborted(signal);
    }, test.stop.signal);
    await test.env.clock.advanceAsync(12_000);
    isDeaf = false;
    await test.env.clock.advanceAsync(3000);
    assert.deepEqual([record(test).holderIdentity, elector.isLeader, began], ['a', false, 0]);
    await test.env.clock.advanceAsync(20_000);
    assert.deepEqual([elector.isLeader, began, record(test).leaseTransitions], [true, 1, 1]);
    test.stop.abort();
    assert.equal(await run, 'stopped');
  });

  it('a leader continues when the response to its own write was lost', async () => {
    let lose = 0;
    const test = testClient({
      between: async (request, _, send) => {
        const response = await send();
        if (request.method !== 'GET' && lose > 0) {
          lose--;
          throw new TransportError('unknown', 'the answer was lost');
        }
        return response;
      },
    });
    lose = 1;
    const elector = candidate(test, 'a');
    const run = elector.run(lead, test.stop.signal);
    await test.env.clock.advanceAsync(3000);
    assert.equal(elector.isLeader, true);
    for (let i = 0; i < 10; i++) {
      lose = 1 + (i % 2);
      await test.env.clock.advanceAsync(5000);
      assert.equal(elector.isLeader, true);
    }
    assert.equal(record(test).leaseTransitions, 0);
    test.stop.abort();
    assert.equal(await run, 'stopped');
  });

  for (const [title, disturb] of [
    [
      'another holder',
      (test: TestClient) =>
        test.api.objects.update(place(test), {
          metadata: {},
          spec: { ...record(test), holderIdentity: 'x' },
        }),
    ],
    ['a deleted Lease', (test: TestClient) => test.api.objects.delete(place(test), {}, '')],
    [
      'a Lease whose transitions start again',
      (test: TestClient) => {
        const spec = { ...record(test), acquireTime: '2024-01-01T00:00:09.000000Z' };
        test.api.objects.delete(place(test), {}, '');
        test.api.objects.create(place(test), { metadata: {}, spec }, '');
      },
    ],
  ] as const) {
    it(`a leader stops at once after ${title}`, async () => {
      const test = testClient();
      const run = candidate(test, 'a').run(lead, test.stop.signal);
      await test.env.clock.advanceAsync(5000);
      disturb(test);
      await test.env.clock.advanceAsync(2500);
      assert.equal(await run, 'lost');
    });
  }

  it('a leader continues after unrelated changes of the Lease', async () => {
    const test = testClient();
    const elector = candidate(test, 'a');
    const run = elector.run(lead, test.stop.signal);
    for (let i = 0; i < 10; i++) {
      await test.env.clock.advanceAsync(3000);
      const { spec } = test.api.objects.get(place(test)) as { spec?: object };
      test.api.objects.update(place(test), {
        metadata: { labels: { i: String(i) } },
        spec: { ...spec, strategy: 'x' },
      });
    }
    await test.env.clock.advanceAsync(3000);
    const lease = test.api.objects.get(place(test));
    assert.deepEqual([elector.isLeader, lease.metadata.labels], [true, { i: '9' }]);
    assert.equal((lease['spec'] as Record<string, unknown>)['strategy'], 'x');
    test.stop.abort();
    await run;
  });

  it('the Lease is held until the work has ended, and released then', async () => {
    const test = testClient();
    const elector = candidate(test, 'slow');
    const work = Promise.withResolvers<void>();
    const run = elector.run(async () => await work.promise, test.stop.signal);
    await calm();
    test.stop.abort();
    await test.env.clock.advanceAsync(60_000);
    assert.deepEqual([elector.isLeader, record(test).holderIdentity], [false, 'slow']);
    work.resolve();
    assert.equal(await run, 'stopped');
    assert.equal(record(test).holderIdentity, '');
  });

  it('work that continues after the leadership is a problem for health checks', async () => {
    const test = testClient();
    const elector = candidate(test, 'a');
    const work = Promise.withResolvers<void>();
    const run = elector.run(async () => await work.promise, test.stop.signal);
    await test.env.clock.advanceAsync(5000);
    test.api.objects.delete(place(test), {}, '');
    await test.env.clock.advanceAsync(5000);
    assert.equal(elector.problem(), undefined);
    await test.env.clock.advanceAsync(15_000);
    assert.match(elector.problem() ?? '', /leadership ended \d+ s ago and its work continues/);
    work.resolve();
    assert.equal(await run, 'lost');
    assert.equal(elector.problem(), undefined);
  });

  it('the Lease is released when the work ends, and the error of the work is passed on', async () => {
    const test = testClient();
    const elector = candidate(test, 'a');
    assert.equal(await elector.run(async () => undefined, test.stop.signal), 'finished');
    assert.equal(record(test).holderIdentity, '');
    const broken = elector.run(async () => {
      throw new Error('broken work');
    }, test.stop.signal);
    await assert.rejects(broken, /broken work/);
    assert.equal(record(test).holderIdentity, '');
  });

  for (const [title, options] of [
    ['no time for clock skew', { renewDeadlineMs: 15_000 }],
    ['no time for a second attempt', { retryPeriodMs: 9000 }],
    ['an empty identity', { identity: '' }],
  ] as const) {
    it(`a candidate with ${title} is rejected`, () => {
      assert.throws(() => candidate(testClient(), 'a', options));
    });
  }
});
