import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { FakeClock, settle } from '@orch/machinery/testing';
import { SharedProgress } from './shared-progress.ts';

const MS = 1000;
const never = new AbortController().signal;

/** The progress of two threads, both of this process. */
function twoThreads() {
  const memory = new SharedArrayBuffer(SharedProgress.bytes(2));
  const clock = new FakeClock();
  const [first, second] = [1, 2].map((thread) => new SharedProgress({ memory, thread, clock }));
  assert.ok(first && second);
  return { memory, clock, first, second };
}

describe('the shared progress of threads', () => {
  it('a wait ends when the last thread has reached the revision', async () => {
    const { first, second } = twoThreads();
    first.reached(4);
    second.reached(3);
    let ended = 0;
    const waits = [first, second, first].map(async (thread) => {
      const isReached = await thread.whenReached(5, MS, never);
      ended++;
      return isReached;
    });
    first.reached(6);
    await settle();
    second.reached(4);
    await settle();
    assert.equal(ended, 0);
    second.reached(5);
    assert.deepEqual(await Promise.all(waits), [true, true, true]);
  });

  it('a thread without a loaded cache, or whose cache has stopped, is not waited for', async () => {
    const { first, second } = twoThreads();
    first.reached(5);
    assert.equal(await first.whenReached(5, MS, never), true);
    second.reached(4);
    const wait = first.whenReached(5, MS, never);
    second.stopped();
    assert.equal(await wait, true);
  });

  it('a wait ends without the revision after its time, and when its signal aborts', async () => {
    const { clock, first, second } = twoThreads();
    first.reached(5);
    second.reached(4);
    const late = first.whenReached(5, MS, never);
    await clock.advanceAsync(MS);
    assert.equal(await late, false);
    const stop = new AbortController();
    const left = first.whenReached(5, MS, stop.signal);
    stop.abort();
    assert.equal(await left, false);
    assert.equal(await first.whenReached(5, MS, stop.signal), false);
    const next = first.whenReached(5, MS, never);
    second.reached(5);
    assert.equal(await next, true);
  });

  it('no wait for a thread misses its progress', { timeout: 60_000 }, async () => {
    const rounds = 20_000;
    const { memory, first } = twoThreads();
    const program = `
      const { workerData: { memory, rounds, module } } = require('node:worker_threads');
      import(module).then(async ({ SharedProgress }) => {
        const clock = { scheduleAwaited: () => () => undefined };
        const progress = new SharedProgress({ memory, thread: 2, clock });
        for (let rev = 1; rev <= rounds; rev++) {
          progress.reached(rev);
          await progress.whenReached(rev, ${MS}, new AbortController().signal);
        }
      });`;
    const module = new URL('./shared-progress.ts', import.meta.url).href;
    const other = new Worker(program, { eval: true, workerData: { memory, rounds, module } });
    for (let rev = 1; rev <= rounds; rev++) {
      first.reached(rev);
      assert.equal(await first.whenReached(rev, MS, never), true);
    }
    await once(other, 'exit');
  });
});
