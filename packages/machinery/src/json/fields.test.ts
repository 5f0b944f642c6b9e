import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  asList,
  asNumber,
  asObject,
  asObjects,
  asStringMap,
  asStrings,
  asText,
  objectAt,
  specOf,
  statusOf,
} from './fields.ts';
import { parseJson } from './parse.ts';

const exact: unknown = parseJson(Buffer.from('12345678901234567890'));
const samples: readonly unknown[] = [undefined, null, true, 1, 'text', ['item'], { field: 1 }, exact];

describe('lenient JSON accessors', () => {
  for (const [name, accessor, own, absent] of [
    ['asObject', asObject, { field: 1 }, {}],
    ['asStringMap', asStringMap, { field: 1 }, {}],
    ['asList', asList, ['item'], []],
    ['asStrings', asStrings, ['item'], []],
    ['asText', asText, 'text', ''],
    ['asNumber', asNumber, 1, 0],
  ] as const) {
    it(`${name} returns a value of its type and the empty value for every other type`, () => {
      const read: (value: unknown) => unknown = accessor;
      const type = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);
      for (const value of samples) {
        const isOwn = value !== null && value !== exact && type(value) === type(own);
        assert.deepEqual(read(value), isOwn ? own : absent);
      }
    });
  }

  it('asObjects and asStrings leave out items of another type', () => {
    assert.deepEqual(asObjects(samples), [{ field: 1 }]);
    assert.deepEqual(asStrings(samples), ['text']);
  });

  it('asObjects and asStrings return the list itself when every item has the type', () => {
    const objects = [{ a: 1 }, { b: 2 }];
    const strings = ['a', 'b'];
    assert.equal(asObjects(objects), objects);
    assert.equal(asStrings(strings), strings);
  });

  it('objectAt follows a path of fields and is empty where the path ends early', () => {
    const object = { a: { b: { c: 1 } }, list: [{}] };
    assert.deepEqual(objectAt(object, 'a', 'b'), { c: 1 });
    assert.deepEqual(objectAt(object), object);
    for (const path of [['b'], ['a', 'b', 'c'], ['list', '0'], ['x', 'y', 'z']]) {
      assert.deepEqual(objectAt(object, ...path), {}, path.join('.'));
    }
  });

  it('specOf and statusOf are empty when the field is absent or no object', () => {
    assert.deepEqual(specOf({ spec: { a: 1 } }), { a: 1 });
    assert.deepEqual(statusOf({ status: { a: 1 } }), { a: 1 });
    for (const object of [{}, { spec: 1, status: 'x' }]) {
      assert.deepEqual([specOf(object), statusOf(object)], [{}, {}]);
    }
  });
});
