import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../concurrency/index.ts';
import { jsonEqualsInPieces } from './equals-in-pieces.ts';
import { hasManyParts } from './extent.ts';
import { cloneJson, jsonEquals } from './values.ts';

const COUNT = 5000;

const list = Array.from({ length: COUNT }, (_, i) => ({ name: String(i), list: [i, null] }));
const map = Object.fromEntries(list.map((item, i) => [`k${i}`, item]));

interface Large {
  readonly list: unknown[];
  readonly map: Record<string, unknown>;
}

/** Copies of a large value with a change. */
const changed: Readonly<Record<string, (copy: Large) => object>> = {
  nothing: (copy) => copy,
  'an item': ({ list, map }) => ({ list: [...list.slice(1), 'x'], map }),
  'the length of a list': ({ list, map }) => ({ list: [...list, 1], map }),
  'a value': ({ list, map }) => ({ list, map: { ...map, k7: 'x' } }),
  'one name more': ({ list, map }) => ({ list, map: { ...map, more: null } }),
  'one name less': ({ list, map: { k0: _, ...map } }) => ({ list, map }),
  'an undefined field': ({ list, map }) => ({ list, map: { ...map, none: undefined } }),
  'a kind of value': ({ list }) => ({ list, map: list }),
};

describe('comparison of JSON values in pieces', () => {
  for (const [what, change] of Object.entries(changed)) {
    it(`large values are compared in pieces as they are compared at once: ${what} differs`, () => {
      const value = { list, map };
      const copy = change(cloneJson(value));
      assert.equal(atOnce(jsonEqualsInPieces(value, copy)), jsonEquals(value, copy));
      assert.equal(atOnce(jsonEqualsInPieces(copy, value)), jsonEquals(copy, value));
    });
  }

  it('large values are compared in pieces of some parts', () => {
    let pieces = 1;
    for (const work = jsonEqualsInPieces(map, cloneJson(map)); work.next().done !== true; ) pieces += 1;
    assert.ok(pieces >= COUNT / 64, `${pieces} pieces`);
  });

  it('any two JSON values are compared in pieces as they are compared at once', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.boolean(), (one, other, isSame) => {
        const a = Array.from({ length: 600 }, () => one);
        const b = cloneJson(isSame ? a : [...a.slice(1), other]);
        assert.equal(atOnce(jsonEqualsInPieces(a, b)), jsonEquals(a, b));
      }),
    );
  });

  it('whether a value has many parts is seen without visiting more than those, however deep it nests', () => {
    let deep: object = {};
    for (let i = 0; i < 50_000; i++) deep = { a: deep };
    assert.equal(hasManyParts(deep), true);
    assert.equal(hasManyParts({ a: { b: [1, { c: null }] } }), false);
  });
});
