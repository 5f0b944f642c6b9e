import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IterationTurns } from './iteration-turns.ts';

/** Turns of which the test says when they come, and the items that were taken. */
function started() {
  const taken: number[] = [];
  const turns: (() => void)[] = [];
  const items = new IterationTurns<number>(
    (item) => void taken.push(item),
    (then) => void turns.push(then),
  );
  const add = (from: number, count: number): boolean[] =>
    Array.from({ length: count }, (_, i) => items.add(from + i));
  return { taken, items, add, turn: () => turns.shift()?.(), hasTurn: () => turns.length > 0 };
}

describe('items that are taken in turns', () => {
  it('an item is taken at once', () => {
    const { taken, add, turn } = started();
    assert.deepEqual(add(0, 1), [false]);
    turn();
    assert.deepEqual(add(1, 1), [false], 'after a turn without items');
    assert.deepEqual(taken, [0, 1]);
  });

  it('items that arrive together are taken in several iterations, in their order', () => {
    const { taken, add, turn, hasTurn } = started();
    assert.deepEqual(add(0, 3), [false, true, true]);
    turn();
    assert.deepEqual(add(3, 1), [true], 'a later item waits for earlier ones');
    assert.deepEqual(taken, [0, 1]);
    while (hasTurn()) turn();
    assert.deepEqual(taken, [0, 1, 2, 3]);
  });

  it('an item that is deleted while it waits is not taken', () => {
    const { taken, items, add, turn } = started();
    add(0, 3);
    items.delete(1);
    turn();
    assert.deepEqual(taken, [0, 2]);
  });
});
