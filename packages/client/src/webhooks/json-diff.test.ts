import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from '@orch/machinery/json';
import { jsonDiff } from './json-diff.ts';

describe('the JSON patch between two values', () => {
  for (const [title, before, after, operations] of [
    ['has no operations for equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['adds a field', {}, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
    ['removes a field', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
    [
      'replaces a nested value',
      { a: { b: 1 } },
      { a: { b: 2 } },
      [{ op: 'replace', path: '/a/b', value: 2 }],
    ],
    [
      'replaces a list by an object',
      { a: [1] },
      { a: { 0: 1 } },
      [{ op: 'replace', path: '/a', value: { 0: 1 } }],
    ],
    ['escapes names of fields', { 'a/b~c': 1 }, {}, [{ op: 'remove', path: '/a~1b~0c' }]],
    [
      'appends to a list',
      [1],
      [1, 2, 3],
      [
        { op: 'add', path: '/-', value: 2 },
        { op: 'add', path: '/-', value: 3 },
      ],
    ],
    [
      'shortens a list from its end',
      [1, 2, 3],
      [4],
      [
        { op: 'replace', path: '/0', value: 4 },
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    ],
  ] as const)
    it(`the JSON patch ${title}`, () => {
      assert.deepEqual(jsonDiff(before, after), operations);
    });

  it('the JSON patch changes no number that keeps its text', () => {
    const read = (text: string): unknown => parseJson(Buffer.from(text));
    assert.deepEqual(jsonDiff(read('[9007199254740993]'), read('[9007199254740993]')), []);
    assert.equal(jsonDiff(read('[9007199254740993]'), read('[9007199254740995]')).length, 1);
  });

  it('the JSON patch treats __proto__ as a field', () => {
    const proto = parseJson(Buffer.from('{"__proto__":{"a":1}}'));
    assert.deepEqual(jsonDiff(proto, {}), [{ op: 'remove', path: '/__proto__' }]);
    assert.equal(jsonDiff({}, proto)[0]?.op, 'add');
  });
});
