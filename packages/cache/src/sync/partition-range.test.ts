import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { prefixRange } from '@orch/storage';
import { partitionRange } from './partition-range.ts';

const whole = prefixRange('/r/');

describe('the partitions of a key range', () => {
  for (const [count, partitions] of [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 2],
    [110, 3],
  ] as const)
    it(`${count} resources are in ${partitions} partitions`, () => {
      const prefixes = Array.from({ length: count }, (_, i) => `/r/kind${String(i).padStart(3, '0')}/`);
      assert.equal(partitionRange(whole, prefixes).length, partitions);
    });

  it('partitions cover the whole range in order, and none divides a resource', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 300; round++) {
      const names = new Set(Array.from({ length: random.int(40) }, () => `/r/${random.int(1000)}/`));
      const partitions = partitionRange(whole, names);
      assert.ok(partitions.length <= 3);
      assert.equal(partitions[0]?.start, whole.start);
      assert.equal(partitions.at(-1)?.end, whole.end);
      for (const [index, partition] of partitions.entries()) {
        if (index > 0) assert.equal(partition.start, partitions[index - 1]?.end);
        assert.ok(partition.start < partition.end);
        for (const name of names) assert.ok(!(name < partition.start && `${name}~` >= partition.start), name);
      }
    }
  });
});
