import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { RevisionTracker } from '../client/revision-tracker.ts';
import { ProgressPrompter } from './progress-prompter.ts';

function start(rev: number) {
  const clock = new FakeClock();
  const tracker = new RevisionTracker();
  const watch = { rev, asked: 0, requestProgress: () => void watch.asked++ };
  tracker.observe(rev);
  return { clock, tracker, watch, prompter: new ProgressPrompter(clock, tracker, watch) };
}

describe('the progress prompter', () => {
  it('requests no progress while events arrive', async () => {
    const { clock, tracker, watch } = start(10);
    for (let rev = 11; rev < 100; rev++) {
      tracker.observe(rev);
      await clock.advance(10);
      watch.rev = rev;
    }
    assert.equal(watch.asked, 0);
  });

  it('requests progress shortly after the store is ahead, then with backoff until the watch has caught up', async () => {
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

  it('requests progress every five seconds without events, until it is disposed', async () => {
    const { clock, watch, prompter } = start(10);
    for (let i = 0; i < 3; i++) await clock.advance(5000);
    assert.equal(watch.asked, 3);
    prompter[Symbol.dispose]();
    await clock.advance(60_000);
    assert.equal(watch.asked, 3);
  });
});
