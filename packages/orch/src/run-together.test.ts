import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aborted } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import { type Part, runTogether } from './run-together.ts';

const waiting = (name: string, ended: string[]): Part => ({
  name,
  async run(signal) {
    await aborted(signal);
    ended.push(name);
  },
});

describe('parts that run together', () => {
  it('parts are stopped in reverse order when the signal aborts', async () => {
    const stop = new AbortController();
    const ended: string[] = [];
    const running = runTogether(
      [waiting('a', ended), waiting('b', ended), waiting('c', ended)],
      new FakeClock(),
      stop.signal,
    );
    stop.abort();
    await running;
    assert.deepEqual(ended, ['c', 'b', 'a']);
  });

  it('the end of one part stops the others, and the first failure rejects once all have ended', async () => {
    const ended: string[] = [];
    const failing: Part = {
      name: 'fails',
      async run() {
        throw new Error('first');
      },
    };
    const never = new AbortController().signal;
    await assert.rejects(runTogether([waiting('a', ended), failing], new FakeClock(), never), /first/);
    assert.deepEqual(ended, ['a']);
    const over: Part = { name: 'over', run: async () => undefined };
    await runTogether([waiting('b', ended), over], new FakeClock(), never);
    assert.deepEqual(ended, ['a', 'b']);
  });

  it('a part that does not end delays the stop of others by at most ten seconds', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const ended: string[] = [];
    const release = Promise.withResolvers<void>();
    const stubborn: Part = { name: 'stubborn', run: () => release.promise };
    const running = runTogether([waiting('a', ended), stubborn], clock, stop.signal);
    stop.abort();
    await clock.advanceAsync(9_999);
    assert.deepEqual(ended, []);
    await clock.advanceAsync(1);
    assert.deepEqual(ended, ['a']);
    release.resolve();
    await running;
  });
});
