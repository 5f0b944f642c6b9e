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
  it('a few items are taken at once', () => {
    const { taken, add } = started();
    assert.deepEqual(add(0, 3), [false, false, false]);
    assert.deepEqual(taken, [0, 1, 2]);
  });

  it('items that arrive together are taken in several iterations, in their order', () => {
    const { taken, add, turn, hasTurn } = started();
    assert.deepEqual(add(0, 20).indexOf(true), 8);
    turn();
    add(20, 1);
    assert.equal(taken.length, 16, 'a later item waits for earlier ones');
    while (hasTurn()) turn();
    assert.deepEqual(
      taken,
      Array.from({ length: 21 }, (_, i) => i),
    );
    assert.ok(!add(21, 8).includes(true), 'after a turn without items they are taken at once again');
  });

  it('an item that is deleted while it waits is not taken', () => {
    const { taken, items, add, turn } = started();
    add(0, 10);
    items.delete(8);
    turn();
    assert.deepEqual(taken.slice(8), [9]);
  });
});
