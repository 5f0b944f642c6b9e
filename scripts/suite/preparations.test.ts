import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Preparations, readyFirst } from './preparations.ts';

describe('readyFirst', () => {
  it('items that wait come before the others as soon as they need not wait', () => {
    let taken = 0;
    const waits = (item: string): boolean =>
      taken < (item.startsWith('short') ? 1 : item.startsWith('long') ? 3 : 0);
    const order: string[] = [];
    for (const item of readyFirst(['long-1', 'short-1', 'a', 'short-2', 'b', 'c', 'long-2'], waits)) {
      order.push(item);
      taken += 1;
    }
    deepEqual(order, ['a', 'short-1', 'short-2', 'long-1', 'b', 'c', 'long-2']);
  });

  it('items that wait come last when they always wait', () => {
    deepEqual([...readyFirst(['waits', 'a', 'b'], (item) => item === 'waits')], ['a', 'b', 'waits']);
  });
});

describe('the files that a test file waits for', () => {
  it('a test file waits for the files that it uses, and for no others', async () => {
    const slow = Promise.withResolvers<void>();
    const quick = Promise.withResolvers<void>();
    const preparations = new Preparations([
      { module: 'slow.ts', users: new Set(['a.test.ts']), made: slow.promise, isMade: false },
      { module: 'quick.ts', users: new Set(['b.test.ts']), made: quick.promise, isMade: true },
    ]);
    deepEqual(
      ['a.test.ts', 'b.test.ts', 'c.test.ts'].map((file) => preparations.delay([file])),
      [true, false, false],
    );
    equal(preparations.describeUnmade(), ' before the files of slow.ts were made');
    quick.resolve();
    await preparations.madeFor(['b.test.ts', 'c.test.ts']);
    let isEarly = true;
    const made = preparations.madeFor(['c.test.ts', 'a.test.ts']).then(() => isEarly);
    isEarly = false;
    slow.resolve();
    equal(await made, false);
  });
});
