import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { AdaptiveInterval } from './adaptive-interval.ts';

/** Times at which waits ended while `act` advances the clock. */
async function ends(
  act: (clock: FakeClock, interval: AdaptiveInterval) => Promise<void>,
): Promise<readonly number[]> {
  const clock = new FakeClock();
  const interval = new AdaptiveInterval(clock, 30_000);
  const stop = new AbortController();
  const seen: number[] = [];
  const loop = (async () => {
    while (!stop.signal.aborted) {
      await interval.wait(stop.signal);
      if (!stop.signal.aborted) seen.push(clock.monotonic());
    }
  })();
  await act(clock, interval);
  stop.abort();
  await loop;
  assert.equal(clock.pending, 0);
  return seen;
}

describe('the interval of full checks', () => {
  it('the interval is constant unless it is shortened', async () => {
    assert.deepEqual(await ends((clock) => clock.advanceAsync(100_000)), [30_000, 60_000, 90_000]);
  });

  it('a shortened interval ends the current wait early and doubles with each wait', async () => {
    const seen = await ends(async (clock, interval) => {
      await clock.advanceAsync(10_000);
      interval.shorten();
      await clock.advanceAsync(120_000);
    });
    assert.deepEqual(seen, [11_000, 13_000, 17_000, 25_000, 41_000, 71_000, 101_000]);
  });

  it('repeated shortening does not delay the end of a wait', async () => {
    const seen = await ends(async (clock, interval) => {
      for (let i = 0; i < 100; i++) {
        interval.shorten();
        await clock.advanceAsync(100);
      }
    });
    assert.ok(seen.length >= 4, String(seen));
  });
});
