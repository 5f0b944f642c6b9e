import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatIndexes, parseIndexes } from './indexes.ts';

describe('texts of indexes', () => {
  for (const [indexes, text] of [
    [[], ''],
    [[7], '7'],
    [[1, 2], '1,2'],
    [[5, 1, 3, 4], '1,3-5'],
    [[0, 1, 2, 9], '0-2,9'],
  ] as const) {
    it(`the indexes ${indexes.join(' ')} have the text ${JSON.stringify(text)}, and back`, () => {
      assert.equal(formatIndexes(indexes), text);
      assert.deepEqual([...parseIndexes(text, 10)], [...indexes].sort());
    });
  }

  it('numbers beyond the count, and what is no number, are ignored', () => {
    assert.deepEqual([...parseIndexes('1,x,3-999999999,-,5', 5)], [1, 3, 4]);
    assert.deepEqual([...parseIndexes(undefined, 5)], []);
  });
});
