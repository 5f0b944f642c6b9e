import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeDifference } from './merge-difference.ts';

describe('the merge patch between two objects', () => {
  for (const [before, after, patch] of [
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: { b: [1] } }, { a: { b: [1] } }, undefined],
    [{ a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
    [{ a: 1, b: 2 }, { b: 2 }, { a: null }],
    [{ a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, { a: { b: 2 } }],
    [{ a: [1, 2] }, { a: [2] }, { a: [2] }],
    [{ a: 1 }, { a: undefined }, { a: null }],
    [{ a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ] as const)
    it(`the merge patch from ${JSON.stringify(before)} to ${JSON.stringify(after)} is ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(mergeDifference(before, after), patch);
    });
});
