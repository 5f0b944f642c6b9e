import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import type { Questions } from '../threads/messages.ts';
import { lastHourOf } from './last-hour.ts';

describe('the last hour of a server', () => {
  it('a condition of an alert is remembered for an hour with its beginning and end, for every thread', async () => {
    const env = testEnv();
    const full = env.metrics.gauge({ name: 'apiserver_storage_full', help: 'The store is full.' });
    let answer: Questions['lastHour'] | undefined;
    const threads = { answerLastHour: (own: Questions['lastHour']) => (answer = own) };
    const { read, tasks } = lastHourOf({ host: { env }, threads });
    const stop = new AbortController();
    const running = tasks.map(([, run]) => run(stop.signal));
    const states = async () => (await read()).episodes.map(({ text, isPresent }) => [text, isPresent]);
    await env.clock.advanceAsync(60_000);
    assert.deepEqual(await states(), []);
    assert.equal((await read()).points.length, 1);
    full.series().set(1);
    await env.clock.advanceAsync(60_000);
    assert.deepEqual(await states(), [['The store is full: it accepts only writes that make room.', true]]);
    full.series().set(0);
    await env.clock.advanceAsync(60_000);
    assert.deepEqual(await states(), [['The store is full: it accepts only writes that make room.', false]]);
    assert.deepEqual(await answer?.(), await read());
    for (let minute = 0; minute < 62; minute += 1) await env.clock.advanceAsync(60_000);
    assert.deepEqual([await states(), (await read()).points.length <= 121], [[], true]);
    stop.abort(new Error('the test has ended'));
    await Promise.all(running);
  });
});
