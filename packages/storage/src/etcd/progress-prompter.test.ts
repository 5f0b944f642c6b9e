import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ProgressPrompter } from './progress-prompter.ts';
import { RevisionTracker } from './revision-tracker.ts';

function start(rev: number) {
  const clock = new FakeClock();
  const tracker = new RevisionTracker();
  const watch = { rev, asked: 0, requestProgress: () => void watch.asked++ };
  tracker.observe(rev);
  return { clock, tracker, watch, prompter: new ProgressPrompter(clock, tracker, watch) };
}

describe('the progress prompter', () => {
  it('asks nothing while events come by themselves', async () => {
    const { clock, tracker, watch } = start(10);
    for (let rev = 11; rev < 100; rev++) {
      tracker.observe(rev);
      await clock.advance(10);
      watch.rev = rev;
    }
    assert.equal(watch.asked, 0);
  });

  it('asks a moment after the store went ahead, then less and less often until the watch is there', async () => {
    const { clock, tracker, watch } = start(10);
    tracker.observe(20);
    await clock.advance(49);
    assert.equal(watch.asked, 0);
    await clock.advance(1);
    assert.equal(watch.asked, 1);
    await clock.advance(4000);
    assert.ok(watch.asked >= 4 && watch.asked <= 10, `asked ${watch.asked} times`);
    const { asked } = watch;
    watch.rev = 20;
    await clock.advance(4000);
    assert.ok(watch.asked <= asked + 1, 'asked although it was there');
  });

  it('asks every five seconds in silence, until it is disposed', async () => {
    const { clock, watch, prompter } = start(10);
    for (let i = 0; i < 3; i++) await clock.advance(5000);
    assert.equal(watch.asked, 3);
    prompter[Symbol.dispose]();
    await clock.advance(60_000);
    assert.equal(watch.asked, 3);
  });
});
