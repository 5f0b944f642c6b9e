import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readyFirst } from './preparations.ts';

describe('readyFirst', () => {
  const waits = (item: string): boolean => item.startsWith('waits');

  it('items that wait come before the others as soon as they are ready', () => {
    let taken = 0;
    const items = readyFirst(['waits-1', 'a', 'waits-2', 'b', 'c', 'waits-3'], waits, () => taken >= 2);
    const order: string[] = [];
    for (const item of items) {
      order.push(item);
      taken += 1;
    }
    deepEqual(order, ['a', 'b', 'waits-1', 'waits-2', 'c', 'waits-3']);
  });

  it('items that wait come last when they are not ready before', () => {
    deepEqual([...readyFirst(['waits', 'a', 'b'], waits, () => false)], ['a', 'b', 'waits']);
  });
});
