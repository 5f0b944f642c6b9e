import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { Pace } from './pace.ts';

/** Times at which pauses ended, while `act` lets time pass. */
async function ends(act: (clock: FakeClock, pace: Pace) => Promise<void>): Promise<readonly number[]> {
  const clock = new FakeClock();
  const pace = new Pace(clock, 30_000);
  const stop = new AbortController();
  const seen: number[] = [];
  const loop = (async () => {
    while (!stop.signal.aborted) {
      await pace.pause(stop.signal);
      if (!stop.signal.aborted) seen.push(clock.monotonic());
    }
  })();
  await act(clock, pace);
  stop.abort();
  await loop;
  assert.equal(clock.pending, 0);
  return seen;
}

describe('Pace', () => {
  it('is even while nothing happens', async () => {
    assert.deepEqual(await ends((clock) => clock.advanceAsync(100_000)), [30_000, 60_000, 90_000]);
  });

  it('is quick after something happened, also in the middle of a pause, and then slower again', async () => {
    const seen = await ends(async (clock, pace) => {
      await clock.advanceAsync(10_000);
      pace.quicken();
      await clock.advanceAsync(120_000);
    });
    assert.deepEqual(seen, [11_000, 13_000, 17_000, 25_000, 41_000, 71_000, 101_000]);
  });

  it('is not held up by what happens all the time', async () => {
    const seen = await ends(async (clock, pace) => {
      for (let i = 0; i < 100; i++) {
        pace.quicken();
        await clock.advanceAsync(100);
      }
    });
    assert.ok(seen.length >= 4, String(seen));
  });
});
