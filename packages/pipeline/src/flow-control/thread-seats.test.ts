import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seatsOfThread } from './thread-seats.ts';

describe('the seats of a thread', () => {
  it('the seats of all threads add up to those of the process', () => {
    for (const [seats, count] of [
      [600, 4],
      [601, 4],
      [7, 4],
      [4, 4],
      [64, 64],
    ] as const) {
      const parts = Array.from({ length: count }, (_, at) => seatsOfThread(seats, { count, number: at + 1 }));
      assert.equal(
        parts.reduce((sum, part) => sum + part),
        seats,
      );
      assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
    }
  });

  it('a thread has a seat when there are fewer seats than threads', () => {
    assert.deepEqual(
      [1, 2, 3].map((number) => seatsOfThread(1, { count: 3, number })),
      [1, 1, 1],
    );
  });
});
