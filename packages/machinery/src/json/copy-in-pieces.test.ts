import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJsonInPieces, copyFieldsInPieces } from './copy-in-pieces.ts';

const COUNT = 2000;
const STEPS_OF_A_PIECE = 64;

const list = Array.from({ length: COUNT }, (_, i) => ({ name: String(i), list: [i, null] }));
const map: Record<string, unknown> = JSON.parse(
  JSON.stringify(Object.fromEntries(list.map((item, i) => [`k${i}`, item]))).replace('"k7"', '"__proto__"'),
);

describe('copies in pieces', () => {
  for (const [what, value] of Object.entries({
    'a list': list,
    'an object': map,
    'both in one': { list, map },
  }))
    it(`a large value is copied in pieces, with nothing that the copy shares: ${what}`, () => {
      let pieces = 1;
      const work = cloneJsonInPieces<object>(value);
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.equal(JSON.stringify(step.value), JSON.stringify(value));
      assert.ok(pieces >= COUNT / STEPS_OF_A_PIECE, `${pieces} pieces`);
      const first = (of: object): unknown => Object.values(of)[0];
      assert.notEqual(step.value, value);
      assert.notEqual(first(step.value), first(value));
    });

  it('the fields of a large object are copied in pieces, with the same values', () => {
    let pieces = 1;
    const work = copyFieldsInPieces(map);
    let step = work.next();
    for (; step.done !== true; step = work.next()) pieces += 1;
    assert.equal(JSON.stringify(step.value), JSON.stringify(map));
    assert.equal(step.value['k1'], map['k1']);
    assert.equal(Object.getPrototypeOf(step.value), Object.prototype);
    assert.ok(pieces >= COUNT / STEPS_OF_A_PIECE, `${pieces} pieces`);
  });
});
