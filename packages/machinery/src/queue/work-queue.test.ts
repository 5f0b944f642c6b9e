import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ObservedQueue, WorkObserver } from '../env.ts';
import { seededRandom, settle, testEnv } from '../testing/index.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

const { signal } = new AbortController();

function open(options: Partial<WorkQueueOptions> = {}) {
  const env = testEnv();
  return { env, queue: new WorkQueue<string>(env, { name: 'test', ...options }) };
}

describe('work queue', () => {
  it('keys are returned once, in the order in which they became ready', async () => {
    const { queue } = open();
    for (const key of ['a', 'b', 'a', 'c', 'b']) assert.equal(queue.add(key), true);
    const taken = [await queue.next(signal), await queue.next(signal), await queue.next(signal)];
    assert.deepEqual(taken, ['a', 'b', 'c']);
    assert.equal(queue.size, 0);
  });

  it('a key that is added during its processing is processed once more afterwards', async () => {
    const { queue } = open();
    queue.add('a');
    assert.equal(await queue.next(signal), 'a');
    queue.add('a');
    queue.add('a');
    let again: string | undefined;
    void queue.next(signal).then((key) => {
      again = key;
    });
    await settle();
    assert.equal(again, undefined);
    queue.done('a');
    await settle();
    assert.equal(again, 'a');
    queue.done('a');
    assert.deepEqual([queue.size, queue.working], [0, 0]);
  });

  it('a delayed key is ready at the earliest of its times, with one timer for all', async () => {
    const { env, queue } = open();
    queue.addAfter('late', 500);
    queue.addAfter('a', 300);
    queue.addAfter('a', 100);
    queue.addAfter('a', 200);
    assert.deepEqual([queue.delayed, env.clock.pending], [2, 1]);
    env.clock.advance(99);
    assert.equal(queue.size, 0);
    env.clock.advance(1);
    assert.equal(await queue.next(signal), 'a');
    queue.done('a');
    env.clock.advance(399);
    assert.equal(queue.size, 0);
    env.clock.advance(1);
    assert.equal(await queue.next(signal), 'late');
    assert.equal(env.clock.pending, 0);
  });

  it('repeated changes of the delay of one key do not use memory', () => {
    const { env, queue } = open();
    for (let i = 0; i < 100_000; i++) queue.addAfter('a', 1_000_000 - i);
    assert.deepEqual([queue.delayed, env.clock.pending], [1, 1]);
    env.clock.advance(1_000_000 - 99_999);
    assert.equal(queue.size, 1);
  });

  it('a delay that is not finite is refused and changes nothing', async () => {
    const { env, queue } = open();
    queue.addAfter('a', 50);
    for (const delayMs of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      assert.throws(() => queue.addAfter('b', delayMs), {
        name: 'RangeError',
        message: /^delayMs: must be a finite/,
      });
    await env.clock.advanceAsync(50);
    assert.deepEqual([queue.size, queue.delayed], [1, 0]);
  });

  it('numbers of a queue that are not finite are refused by their names', () => {
    for (const [options, message] of [
      [{ capacity: Number.NaN }, /^capacity: must be a finite number, not NaN/],
      [{ rateLimit: { firstMs: Number.NaN } }, /^firstMs: must be a finite number/],
      [{ rateLimit: { maxMs: Number.POSITIVE_INFINITY } }, /^maxMs: must be a finite number, not Infinity/],
      [{ rateLimit: { perSecond: 0 } }, /^perSecond: must be greater than 0, not 0/],
      [{ rateLimit: { burst: Number.NaN } }, /^burst: must be a finite number/],
    ] as const)
      assert.throws(() => open(options), { name: 'RangeError', message });
  });

  it('keys become ready in the order of their times for any delays, also refused ones', async () => {
    const delays = fc.oneof(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0.001, max: 1000, noNaN: true }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(delays, { maxLength: 60 }), async (given) => {
        const { env, queue } = open();
        const due = new Map<string, number>();
        for (const [i, delayMs] of given.entries()) {
          if (Number.isFinite(delayMs) && queue.addAfter(`${i}`, delayMs)) due.set(`${i}`, delayMs);
          else assert.throws(() => queue.addAfter(`${i}`, delayMs), RangeError);
        }
        await env.clock.advanceAsync(1001);
        const taken: string[] = [];
        while (queue.size > 0) taken.push((await queue.next(signal)) ?? '');
        const times = taken.map((key) => due.get(key) ?? Number.NaN);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
        assert.equal(taken.length, due.size);
      }),
    );
  });

  it('the delay of a failing key doubles up to a maximum, until it is forgotten', () => {
    const { env, queue } = open({ rateLimit: { firstMs: 10, maxMs: 50 } });
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      if (i === 5) queue.forget('a');
      queue.addRateLimited('a');
      const from = env.clock.monotonic();
      while (queue.size === 0) env.clock.runNext();
      waits.push(env.clock.monotonic() - from);
      void queue.next(signal);
      queue.done('a');
    }
    assert.deepEqual(waits, [10, 20, 40, 50, 50, 10]);
    assert.equal(queue.failures('a'), 1);
  });

  it('retries of many keys are spread, within the maximum delay', () => {
    const rateLimit = { firstMs: 1, maxMs: 2000, perSecond: 10, burst: 5 };
    const { env, queue } = open({ rateLimit });
    for (let i = 0; i < 100; i++) queue.addRateLimited(`k${i}`);
    const ready: number[] = [];
    for (const ms of [1, 500, 500, 998, 1]) {
      env.clock.advance(ms);
      ready.push(queue.size);
    }
    assert.deepEqual(ready, [5, 10, 15, 24, 100]);
    // Items after the storm are as fast as before once the bucket has filled again.
    env.clock.advance(5000);
    queue.addRateLimited('calm');
    env.clock.advance(1);
    assert.equal(queue.size, 101);
  });

  it('keys beyond the capacity are rejected', async () => {
    const { queue } = open({ capacity: 3 });
    assert.deepEqual([queue.add('a'), queue.addAfter('b', 10), queue.add('c')], [true, true, true]);
    assert.deepEqual(
      [queue.add('d'), queue.addAfter('d', 10), queue.addRateLimited('d')],
      [false, false, false],
    );
    assert.deepEqual([queue.add('a'), queue.addAfter('b', 5)], [true, true]);
    await queue.next(signal);
    assert.equal(queue.add('d'), true);
  });

  it('ready keys are returned after the shutdown, and drain resolves when all processing has ended', async () => {
    const { env, queue } = open();
    queue.add('a');
    queue.addAfter('never', 10);
    const drained = queue.drain();
    let isDrained = false;
    void drained.then(() => {
      isDrained = true;
    });
    assert.equal(queue.add('b'), false);
    assert.equal(await queue.next(signal), 'a');
    assert.equal(await queue.next(signal), undefined);
    await settle();
    assert.equal(isDrained, false);
    queue.done('a');
    await drained;
    assert.equal(env.clock.pending, 0);
  });

  it('an observer sees the work of a queue until the queue has ended, also if ready keys are discarded', async () => {
    const open = new Set<ObservedQueue>();
    const work: WorkObserver = {
      opened(queue) {
        open.add(queue);
        return () => open.delete(queue);
      },
    };
    const queue = new WorkQueue<string>({ ...testEnv(), work }, { name: 'test' });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await queue.next(signal);
    await queue.next(signal);
    queue.addRateLimited('b');
    queue.done('b');
    const [seen] = open;
    assert.deepEqual([seen?.name, seen?.size, seen?.working, seen?.failing], ['test', 1, 1, 1]);
    queue.discard();
    assert.deepEqual([open.size, queue.size], [1, 0]);
    queue.done('a');
    assert.equal(open.size, 0);
  });

  it('no key is lost to an aborted caller', async () => {
    const { queue } = open();
    const gone = new AbortController();
    const taken = assert.rejects(queue.next(gone.signal), /left/);
    gone.abort(new Error('left'));
    queue.add('a');
    await taken;
    assert.equal(await queue.next(signal), 'a');
    await assert.rejects(queue.next(gone.signal), /left/);
  });

  it('the metrics have the names that common dashboards use', async () => {
    const { env, queue } = open();
    queue.add('a');
    queue.add('b');
    queue.addRateLimited('c');
    env.clock.advance(2000);
    await queue.next(signal);
    env.clock.advance(3000);
    const text = env.metrics.text();
    for (const line of [
      'workqueue_adds_total{name="test"} 3',
      'workqueue_depth{name="test"} 2',
      'workqueue_retries_total{name="test"} 1',
      'workqueue_unfinished_work_seconds{name="test"} 3',
      'workqueue_longest_running_processor_seconds{name="test"} 3',
      'workqueue_queue_duration_seconds_bucket{name="test",le="1"} 0',
      'workqueue_queue_duration_seconds_bucket{name="test",le="10"} 1',
    ]) {
      assert.ok(text.includes(`${line}\n`), `${line} is missing in\n${text}`);
    }
    queue.done('a');
    assert.match(env.metrics.text(), /workqueue_work_duration_seconds_count\{name="test"\} 1\n/);
  });

  it('no key is processed concurrently, lost or invented, for random operations', async () => {
    for (let seed = 1; seed <= 300; seed++) await property(seed);
  });
});

/** Random adds, failures and workers. Every add must be followed by work that began after it. */
async function property(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const env = testEnv({ seed });
  const queue = new WorkQueue<number>(env, { name: 'p', rateLimit: { maxMs: 1000 } });
  const owed = new Set<number>();
  const adds = new Map<number, number>();
  const added = (key: number): void => {
    owed.add(key);
    adds.set(key, (adds.get(key) ?? 0) + 1);
  };
  const working = new Set<number>();
  const worker = async (): Promise<void> => {
    for (let key = await queue.next(signal); key !== undefined; key = await queue.next(signal)) {
      assert.ok(!working.has(key), `seed ${seed}: ${key} is worked on twice at once`);
      const left = (adds.get(key) ?? 0) - 1;
      assert.ok(left >= 0, `seed ${seed}: ${key} is worked on more often than it was added`);
      adds.set(key, left);
      working.add(key);
      owed.delete(key);
      const workMs = random.int(50);
      await new Promise<void>((resolve) => void env.clock.schedule(workMs, resolve));
      if (random.int(4) === 0 && queue.addRateLimited(key)) added(key);
      else queue.forget(key);
      working.delete(key);
      queue.done(key);
    }
  };
  const workers = Array.from({ length: 1 + random.int(4) }, worker);
  for (let i = 0; i < 60; i++) {
    const key = random.int(8);
    const isTaken = random.int(3) === 0 ? queue.addAfter(key, random.int(100)) : queue.add(key);
    assert.equal(isTaken, true);
    added(key);
    if (random.int(2) === 0) await env.clock.advanceAsync(random.int(40));
  }
  await env.clock.advanceAsync(60_000);
  assert.deepEqual([...owed], [], `seed ${seed}: keys were lost`);
  queue.shutDown();
  await Promise.all(workers);
  assert.deepEqual([queue.size, queue.working, env.clock.pending], [0, 0, 0]);
}
