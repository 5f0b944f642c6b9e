import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FlushScheduler } from './flush-scheduler.ts';

const env = { clock: { monotonic: () => 0 } };

/** The iterations of the event loop in which tasks ran, from the first one on. */
async function iterationsOf(isLong: readonly boolean[]): Promise<readonly number[]> {
  const scheduler = new FlushScheduler(env, assert.ifError);
  const ran: number[] = [];
  let iteration = 0;
  for (const long of isLong)
    scheduler.schedule({ queued: false, isLong: long, flush: () => void ran.push(iteration) });
  for (; ran.length < isLong.length; iteration++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  return ran.map((at) => at - (ran[0] ?? 0));
}

describe('flush scheduler', () => {
  it('tasks of one tick run together', async () => {
    assert.deepEqual(await iterationsOf([false, false, false]), [0, 0, 0]);
  });

  it('long tasks run one in a tick, between which other work of the thread is done', async () => {
    assert.deepEqual(await iterationsOf([true, true, true]), [0, 1, 2]);
  });

  it('a task that fails does not stop the others', async () => {
    const failures: unknown[] = [];
    const scheduler = new FlushScheduler(env, (error) => failures.push(error));
    const done = Promise.withResolvers<void>();
    const failing = (): void => {
      throw new TypeError('broken');
    };
    for (const isLong of [true, false]) scheduler.schedule({ queued: false, isLong, flush: failing });
    scheduler.schedule({ queued: false, isLong: true, flush: () => done.resolve() });
    await done.promise;
    assert.deepEqual(failures.map(String), ['TypeError: broken', 'TypeError: broken']);
  });
});
