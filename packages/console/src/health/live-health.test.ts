import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '@orch/machinery/concurrency';
import { settle, testEnv } from '@orch/machinery/testing';
import { expositionIn } from './exposition.ts';
import { type HealthRecord, LiveHealth } from './live-health.ts';
import { stateSeries } from './state.ts';
import { START_TIME } from './summary.ts';

interface Process {
  readonly startedAt: number;
  readonly requests: number;
}

/** The health of a server that has the metrics of `process`; undefined stands for a failure. */
function watched(process: { now: Process | undefined }, past?: HealthRecord) {
  const env = testEnv();
  const readMetrics = async (): Promise<string> => {
    if (process.now === undefined) throw new TypeError('no connection');
    const { startedAt, requests } = process.now;
    const lines = [
      `process_start_time_seconds ${startedAt}`,
      `apiserver_request_total{verb="GET",code="200"} ${requests}`,
    ];
    return `${lines.join('\n')}\n`;
  };
  const live = new LiveHealth({
    ...{ readMetrics, readPast: async () => past, intervalMs: 5000, firstIntervalMs: 1000, env },
    onChange() {},
  });
  const left = new AbortController();
  const ended = live.run(left.signal);
  return {
    live,
    /** Lets readings happen for some seconds, each after `grow` more requests a second. */
    async pass(seconds: number, grow = 0): Promise<void> {
      for (let second = 0; second < seconds; second += 1) {
        const { now } = process;
        if (now !== undefined) process.now = { ...now, requests: now.requests + grow };
        await settle();
        env.clock.advance(1000);
        await settle();
      }
    },
    async [Symbol.asyncDispose]() {
      left.abort(new Error('the test has ended'));
      await ended;
    },
  };
}

describe('the health of a server', () => {
  it('rates are those of the last minute', async () => {
    const process = { now: { startedAt: 1, requests: 1000 } };
    await using health = watched(process);
    await health.pass(70, 10);
    assert.equal(Math.round(health.live.state?.requests.perSecond ?? 0), 10);
    await health.pass(70, 0);
    assert.equal(health.live.state?.requests.perSecond, 0);
    assert.equal(health.live.freshness.phase, 'live');
  });

  it('the counters of another process are not compared with the earlier ones', async () => {
    const process = { now: { startedAt: 1, requests: 1_000_000 } };
    await using health = watched(process);
    await health.pass(20, 1);
    process.now = { startedAt: 2, requests: 5 };
    await health.pass(20, 1);
    assert.equal(health.live.startedMs, 2000);
    assert.ok(Math.abs((health.live.state?.requests.perSecond ?? 0) - 1) < 0.2);
  });

  it('the last values stay while the server does not answer, and are marked as stale', async () => {
    const process: { now: Process | undefined } = { now: { startedAt: 1, requests: 1 } };
    await using health = watched(process);
    await health.pass(10, 1);
    process.now = undefined;
    await health.pass(10);
    assert.deepEqual([health.live.freshness.phase, health.live.state !== undefined], ['stale', true]);
    process.now = { startedAt: 1, requests: 20 };
    await health.pass(10);
    assert.equal(health.live.freshness.phase, 'live');
  });

  it('the past that the server remembers comes before the first reading, and leaves after an hour', async () => {
    const point = { requestsPerSecond: 7, errorsPerSecond: 0, lagMs: 0, watches: 0 };
    const nowMs = testEnv().clock.now();
    const times = { fromMs: nowMs - 60_000, toMs: nowMs - 20_000 };
    await using health = watched(
      { now: { startedAt: 1, requests: 1 } },
      {
        points: [{ timeMs: nowMs - 30_000, ...point }],
        episodes: [{ text: 'It is full.', ...times, isPresent: true }],
      },
    );
    await health.pass(10);
    const { live } = health;
    assert.equal(live.points[0]?.requestsPerSecond, 7);
    assert.deepEqual(live.episodes, [{ text: 'It is full.', ...times, isPresent: false }]);
    await health.pass(3600);
    assert.deepEqual([live.points[0]?.requestsPerSecond, live.episodes.length], [0, 0]);
  });

  it('a reading of many metrics is divided into pieces, and what is read is the same', async () => {
    const env = testEnv();
    const lines = Array.from({ length: 5000 }, (_, i) => `process_start_time_seconds ${i}`);
    const left = new AbortController();
    let pieces = 0;
    const live = new LiveHealth({
      readMetrics: async () => lines.join('\n'),
      intervalMs: 5000,
      env,
      run(work) {
        for (;;) {
          const { done, value } = work.next();
          if (done === true) return value;
          pieces += 1;
        }
      },
      onChange: () => left.abort(new Error('the first reading has ended')),
    });
    await live.run(left.signal);
    assert.ok(pieces >= 50, `${pieces} pieces`);
    assert.equal(live.startedMs, 0);
    assert.equal(atOnce(expositionIn(lines.join('\n'), stateSeries)).get(START_TIME)?.length, lines.length);
  });

  it('points of an hour are kept', async () => {
    await using health = watched({ now: { startedAt: 1, requests: 1 } });
    await health.pass(3700);
    assert.equal(health.live.points.length, 720);
  });
});
