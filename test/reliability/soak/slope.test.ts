import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { isRising, type Point, slopeOf } from './slope.ts';

const random = seededRandom(3);
/** A hundred points of a line with noise. */
const line = (perUnit: number, noise: number): Point[] =>
  Array.from({ length: 100 }, (_, i) => ({ x: i / 10, y: 500 + (perUnit * i) / 10 + random.int(noise) }));

describe('slopes of soak runs', () => {
  it('a slope is that of the line through the points', () => {
    const slope = slopeOf([
      { x: 0, y: 1 },
      { x: 1, y: 3 },
      { x: 2, y: 5 },
    ]);
    assert.deepEqual([slope?.perUnit, slope?.mean], [2, 3]);
    assert.ok((slope?.error ?? 1) < 1e-9);
  });

  it('a value rises if it grows by more than its noise', () => {
    const rises = (points: readonly Point[]): boolean => {
      const slope = slopeOf(points);
      return slope !== undefined && isRising(slope);
    };
    assert.equal(rises(line(20, 50)), true);
    assert.equal(rises(line(0, 50)), false);
    assert.equal(rises(line(-20, 50)), false);
    assert.equal(rises(line(2, 5)), false, 'a growth of less than a hundredth in an hour');
  });

  it('points that determine no line have no slope', () => {
    assert.equal(slopeOf([{ x: 0, y: 1 }]), undefined);
    const same = { x: 4, y: 1 };
    assert.equal(slopeOf([same, same, same]), undefined);
  });
});
