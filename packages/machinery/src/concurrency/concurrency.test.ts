import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import {
  abortable,
  aborted,
  anySignal,
  DeadlineExceeded,
  expectManyListeners,
  onAbort,
  sleep,
  withDeadline,
} from './abort.ts';
import { AsyncQueue } from './async-queue.ts';
import { deferred } from './deferred.ts';
import { Semaphore } from './semaphore.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const never = new AbortController().signal;
const why = new Error('stopped');

describe('deadline of an operation', () => {
  it('a deadline aborts with DeadlineExceeded when the time is up', () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using scope = withDeadline(parent.signal, clock, 100);
    clock.advance(99);
    assert.equal(scope.signal.aborted, false);
    clock.advance(1);
    assert.ok(scope.signal.reason instanceof DeadlineExceeded);
    assert.equal(scope.signal.reason.afterMs, 100);
    assert.equal(parent.signal.aborted, false);
    assert.equal(listeners(parent.signal), 0);
  });

  it('a deadline aborts with its parent, for the same reason, and frees the timer', () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using scope = withDeadline(parent.signal, clock, 100);
    parent.abort(why);
    assert.equal(scope.signal.reason, why);
    assert.equal(clock.pending, 0);
  });

  it('a deadline leaves nothing behind once disposed', () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    for (let i = 0; i < 100; i++) {
      using scope = withDeadline(parent.signal, clock, 100);
      assert.equal(scope.signal.aborted, false);
    }
    assert.equal(listeners(parent.signal), 0);
    assert.equal(clock.pending, 0);
  });

  it('a deadline is aborted from the start under an aborted parent', () => {
    const clock = new FakeClock();
    using scope = withDeadline(AbortSignal.abort(why), clock, 100);
    assert.equal(scope.signal.reason, why);
    assert.equal(clock.pending, 0);
  });
});

describe('signal of several signals', () => {
  it('a combined signal aborts with the first of its parents and unregisters from the others', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    using scope = anySignal([a.signal, b.signal]);
    b.abort(why);
    assert.equal(scope.signal.reason, why);
    assert.deepEqual([listeners(a.signal), listeners(b.signal)], [0, 0]);
  });

  it('the signal registers nowhere when one parent has aborted already', () => {
    const a = new AbortController();
    using scope = anySignal([a.signal, AbortSignal.abort(why), never]);
    assert.equal(scope.signal.reason, why);
    assert.deepEqual([listeners(a.signal), listeners(never)], [0, 0]);
  });

  it('a combined signal can be aborted by itself', () => {
    const a = new AbortController();
    using scope = anySignal([a.signal]);
    scope.abort(why);
    assert.equal(scope.signal.reason, why);
    assert.deepEqual([a.signal.aborted, listeners(a.signal)], [false, 0]);
  });
});

describe('signal with many listeners', () => {
  it('the listeners that are left are called once and in order, and the signal has one listener itself', () => {
    const controller = new AbortController();
    expectManyListeners(controller.signal);
    expectManyListeners(controller.signal);
    const called: number[] = [];
    const leave = Array.from({ length: 100 }, (_, i) => onAbort(controller.signal, () => called.push(i)));
    assert.equal(listeners(controller.signal), 1);
    for (const [i, remove] of leave.entries()) if (i % 3 !== 0) remove();
    controller.abort(why);
    controller.abort(why);
    const kept = Array.from({ length: 34 }, (_, i) => 3 * i);
    assert.deepEqual(called, kept);
    onAbort(controller.signal, () => called.push(100));
    assert.deepEqual(called, [...kept, 100]);
  });

  it('a listener that throws does not keep the others from being called, and its error is uncaught', async () => {
    const controller = new AbortController();
    expectManyListeners(controller.signal);
    const uncaught = deferred<unknown>();
    const earlier = process.rawListeners('uncaughtException') as ((error: unknown) => void)[];
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => uncaught.resolve(error));
    try {
      onAbort(controller.signal, () => {
        throw why;
      });
      let isCalled = false;
      onAbort(controller.signal, () => {
        isCalled = true;
      });
      controller.abort();
      assert.equal(isCalled, true);
      assert.equal(await uncaught.promise, why);
    } finally {
      for (const listener of earlier) process.on('uncaughtException', listener);
    }
  });
});

describe('sleep of a caller', () => {
  it('a sleep ends on time, or with the reason of the signal', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const first = sleep(clock, 10, controller.signal);
    clock.advance(10);
    await first;
    assert.equal(listeners(controller.signal), 0);
    const second = sleep(clock, 10, controller.signal);
    controller.abort(why);
    await assert.rejects(second, why);
    assert.equal(clock.pending, 0);
    await assert.rejects(sleep(clock, 10, controller.signal), why);
  });
});

describe('wait that can be aborted', () => {
  it('an abortable wait passes on what the promise does, and unregisters', async () => {
    const controller = new AbortController();
    assert.equal(await abortable(Promise.resolve(5), controller.signal), 5);
    await assert.rejects(abortable(Promise.reject(why), controller.signal), why);
    assert.equal(listeners(controller.signal), 0);
  });

  it('an abortable wait stops waiting when the signal aborts, and a later failure goes unreported', async () => {
    const controller = new AbortController();
    const work = deferred<number>();
    const waiting = abortable(work.promise, controller.signal);
    controller.abort(why);
    await assert.rejects(waiting, why);
    work.reject(new Error('late'));
    await assert.rejects(abortable(Promise.resolve(1), controller.signal), why);
  });

  it('an abortable wait has a companion that waits for the abort itself', async () => {
    const controller = new AbortController();
    const done = aborted(controller.signal);
    controller.abort();
    await done;
    await aborted(controller.signal);
    let called = 0;
    onAbort(controller.signal, () => called++)();
    assert.equal(called, 1);
  });
});

describe('deferred promise with resolvers', () => {
  it('a deferred promise settles only once', async () => {
    const d = deferred<number>();
    assert.equal(d.settled, false);
    d.resolve(1);
    d.resolve(2);
    d.reject(why);
    assert.equal(d.settled, true);
    assert.equal(await d.promise, 1);
  });
});

describe('asynchronous queue of items', () => {
  it('the queue returns items in order, to the first waiting callers', async () => {
    const queue = new AsyncQueue<number>(10);
    const [a, b] = [queue.next(never), queue.next(never)];
    for (const n of [1, 2, 3, 4]) assert.equal(queue.push(n), true);
    assert.deepEqual(
      [await a, await b],
      [
        { done: false, value: 1 },
        { done: false, value: 2 },
      ],
    );
    assert.equal(queue.take(), 3);
    assert.deepEqual(await queue.next(never), { done: false, value: 4 });
    assert.equal(queue.take(), undefined);
  });

  it('the queue refuses items beyond its capacity', () => {
    const queue = new AsyncQueue<number>(2);
    assert.deepEqual([queue.push(1), queue.push(2), queue.push(3)], [true, true, false]);
    assert.equal(queue.size, 2);
    queue.take();
    assert.equal(queue.push(4), true);
    assert.throws(() => new AsyncQueue(0), RangeError);
  });

  it('the queue gives what is queued before the end, and before an error', async () => {
    const closed = new AsyncQueue<number>(5);
    closed.push(1);
    closed.close();
    assert.equal(closed.push(2), false);
    const items: number[] = [];
    for await (const item of closed.iterate(never)) items.push(item);
    assert.deepEqual(items, [1]);
    assert.equal((await closed.next(never)).done, true);

    const failed = new AsyncQueue<number>(5);
    failed.push(1);
    failed.fail(why);
    failed.close();
    assert.deepEqual(await failed.next(never), { done: false, value: 1 });
    await assert.rejects(failed.next(never), why);
  });

  it('the queue wakes all who wait when it ends', async () => {
    const queue = new AsyncQueue<number>(5);
    const waiting = [queue.next(never), queue.next(never)];
    queue.close();
    for (const result of await Promise.all(waiting)) assert.equal(result.done, true);
  });

  it('the queue loses no item to a consumer that gave up', async () => {
    const queue = new AsyncQueue<number>(5);
    const controller = new AbortController();
    const waiting = queue.next(controller.signal);
    controller.abort(why);
    await assert.rejects(waiting, why);
    queue.push(1);
    assert.equal(queue.take(), 1);
    assert.equal(listeners(controller.signal), 0);
    await assert.rejects(queue.next(controller.signal), why);
  });

  it('the queue stays correct over many items', () => {
    const queue = new AsyncQueue<number>(1000);
    let [put, got] = [0, 0];
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < (round * 7) % 13; i++) if (queue.push(put)) put++;
      for (let i = 0; i < (round * 5) % 11; i++) if (queue.size > 0) assert.equal(queue.take(), got++);
    }
    while (queue.size > 0) assert.equal(queue.take(), got++);
    assert.equal(got, put);
  });
});

describe('semaphore with waiting callers', () => {
  it('a semaphore admits as many callers as it has permits, and the others in order', async () => {
    const semaphore = new Semaphore(2);
    const order: string[] = [];
    const gates = [deferred(), deferred(), deferred()];
    const runs = gates.map((gate, i) =>
      semaphore.run(never, async () => {
        order.push(`in ${i}`);
        await gate.promise;
      }),
    );
    await Promise.resolve();
    assert.deepEqual(order, ['in 0', 'in 1']);
    assert.equal(semaphore.waiting, 1);
    gates[1]?.resolve();
    await runs[1];
    await Promise.resolve();
    assert.deepEqual(order, ['in 0', 'in 1', 'in 2']);
    for (const gate of gates) gate.resolve();
    await Promise.all(runs);
  });

  it('a semaphore forgets who gave up, and takes a permit back only once', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(never);
    const controller = new AbortController();
    const waiting = semaphore.acquire(controller.signal);
    controller.abort(why);
    await assert.rejects(waiting, why);
    await assert.rejects(semaphore.acquire(controller.signal), why);
    release();
    release();
    await semaphore.acquire(never);
    assert.equal(semaphore.waiting, 0);
    void semaphore.acquire(never);
    assert.equal(semaphore.waiting, 1);
  });

  it('a semaphore gives the permit back when the work fails', async () => {
    const semaphore = new Semaphore(1);
    await assert.rejects(
      semaphore.run(never, () => Promise.reject(why)),
      why,
    );
    assert.equal(await semaphore.run(never, () => Promise.resolve(1)), 1);
  });
});
