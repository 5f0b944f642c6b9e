import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { prefixRange } from '@orch/storage';
import { laneRanges } from './lane-ranges.ts';

const whole = prefixRange('/r/');

describe('ranges that are loaded in parallel', () => {
  for (const [count, lanes] of [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 2],
    [110, 3],
  ] as const)
    it(`${count} resources are read in ${lanes} ranges`, () => {
      const prefixes = Array.from({ length: count }, (_, i) => `/r/kind${String(i).padStart(3, '0')}/`);
      assert.equal(laneRanges(whole, prefixes).length, lanes);
    });

  it('together they are the whole range, in order, and none divides a resource', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 300; round++) {
      const names = new Set(Array.from({ length: random.int(40) }, () => `/r/${random.int(1000)}/`));
      const lanes = laneRanges(whole, names);
      assert.ok(lanes.length <= 3);
      assert.equal(lanes[0]?.start, whole.start);
      assert.equal(lanes.at(-1)?.end, whole.end);
      for (const [index, lane] of lanes.entries()) {
        if (index > 0) assert.equal(lane.start, lanes[index - 1]?.end);
        assert.ok(lane.start < lane.end);
        for (const name of names) assert.ok(!(name < lane.start && `${name}~` >= lane.start), name);
      }
    }
  });
});
