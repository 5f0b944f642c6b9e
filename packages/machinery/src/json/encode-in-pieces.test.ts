import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../concurrency/index.ts';
import { encodeJson } from './encode.ts';
import { encodeJsonInPieces } from './encode-in-pieces.ts';
import { parseJson } from './parse.ts';

const COUNT = 5000;
/** Parts of a value that are written between two pieces at most. */
const PARTS_OF_A_PIECE = 64;

const list = Array.from({ length: COUNT }, (_, i) => ({ name: `<${i}>`, list: [i, null] }));
const map = Object.fromEntries(list.map((item, i) => [`k${i}`, item]));

const large: Readonly<Record<string, unknown>> = {
  'a list': list,
  'a map': map,
  'lists and maps of small values': {
    first: 1,
    list,
    nothing: undefined,
    map,
    last: [[], {}, list, 'x', list],
  },
  'fields that are numbers or special': parseJson(Buffer.from(JSON.stringify({ ...map, 7: 'x', 5: [list] }))),
  'a field with the name of the prototype': parseJson(
    Buffer.from(`{"__proto__":{"a":1},${JSON.stringify(map).slice(1)}`),
  ),
  'exact numbers': parseJson(Buffer.from(`[${'12345678901234567890,'.repeat(COUNT)}1.0]`)),
  'nested containers': [[[list]], { a: { b: { c: map } } }],
};

describe('encoding of JSON in pieces', () => {
  for (const [what, value] of Object.entries(large)) {
    it(`a large value is encoded in pieces to the same bytes as at once: ${what}`, () => {
      assert.equal(String(atOnce(encodeJsonInPieces(value))), String(encodeJson(value)));
    });

    it(`a large value is encoded in pieces of some parts: ${what}`, () => {
      let pieces = 1;
      for (const work = encodeJsonInPieces(value); work.next().done !== true; ) pieces += 1;
      assert.ok(pieces >= COUNT / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });
  }

  it('any list of JSON values is encoded in pieces to the same bytes as at once', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const repeated = Array.from({ length: 40 }, () => values);
        assert.equal(String(atOnce(encodeJsonInPieces(repeated))), String(encodeJson(repeated)));
      }),
    );
  });
});
