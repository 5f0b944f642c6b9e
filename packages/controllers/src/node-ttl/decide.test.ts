import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextStep, ttlAt } from './decide.ts';

/** The ttl after each of these sizes in turn. */
const course = (...sizes: number[]): readonly string[] => {
  let step = 0;
  return sizes.map((size) => {
    step = nextStep(step, size);
    return ttlAt(step);
  });
};

describe('how long nodes may believe what they have read', () => {
  for (const [title, sizes, expected] of [
    [
      'grows with the cluster',
      [0, 100, 101, 500, 501, 1001, 2001, 10_001],
      ['0', '0', '15', '15', '30', '60', '300', '600'],
    ],
    [
      'shrinks with it, a little later',
      [10_001, 9000, 8999, 1800, 1799, 899, 449, 89],
      ['600', '600', '300', '300', '60', '30', '15', '0'],
    ],
    ['does not go back and forth', [100, 101, 99, 101, 90, 89, 91], ['0', '15', '15', '15', '15', '0', '0']],
    ['goes over many steps at once', [20_000, 3], ['600', '0']],
  ] as const) {
    it(title, () => assert.deepEqual(course(...sizes), expected));
  }
});
