import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { Pace } from './pace.ts';

describe('the pace of writes', () => {
  it('turns are spread evenly, in the order of the calls', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, 10);
    const { signal } = new AbortController();
    const turns: number[] = [];
    for (let i = 0; i < 4; i++) void pace.turn(signal).then(() => turns.push(clock.monotonic()));
    await clock.advanceAsync(1000);
    assert.deepEqual(turns, [0, 100, 200, 300]);
  });

  it('unused time does not lead to a burst', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, 10);
    const { signal } = new AbortController();
    await clock.advanceAsync(60_000);
    const turns: number[] = [];
    for (let i = 0; i < 2; i++) void pace.turn(signal).then(() => turns.push(clock.monotonic()));
    await clock.advanceAsync(1000);
    assert.deepEqual(turns, [60_000, 60_100]);
  });

  it('a turn that is waited for ends with the signal', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock, 1);
    const stop = new AbortController();
    await pace.turn(stop.signal);
    const second = pace.turn(stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(second, /stopped/);
  });
});
