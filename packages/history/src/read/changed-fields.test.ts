import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedFields } from './changed-fields.ts';

describe('the changed fields of an object', () => {
  const container = (name: string, image: string) => ({ name, image });
  for (const [title, before, after, expected] of [
    ['a value', { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 3 } }, ['spec.b']],
    ['an added and a removed field', { a: 1 }, { b: { c: 1 } }, ['a', 'b']],
    ['a key with dots', { m: { 'x.y/z': 1 } }, { m: { 'x.y/z': 2 } }, ['m[x.y/z]']],
    [
      'an element with a name, wherever it stands',
      { c: [container('a', '1'), container('b', '1')] },
      { c: [container('b', '2'), container('a', '1'), container('d', '1')] },
      ['c[b].image', 'c[d]'],
    ],
    ['an element without a name', { c: [{ x: 1 }, { x: 2 }] }, { c: [{ x: 1 }, { x: 3 }] }, ['c[1].x']],
    ['a list of values', { f: ['a', 'b'] }, { f: ['b'] }, ['f']],
    ['a type', { a: {} }, { a: [] }, ['a']],
    [
      'nothing but what each write sets',
      { metadata: { resourceVersion: '1', managedFields: [], generation: 1 } },
      { metadata: { resourceVersion: '2', managedFields: [{}], generation: 2 } },
      [],
    ],
    [
      'names of prototypes',
      { m: {} },
      { m: { constructor: '1', toString: '2' } },
      ['m.constructor', 'm.toString'],
    ],
  ] as const) {
    it(`are found for ${title}`, () => assert.deepEqual(changedFields(before, after).fields, expected));
  }

  it('are counted beyond a number', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
    const { fields, more } = changedFields({}, many);
    assert.equal(fields.length + more, 100);
    assert.ok(fields.length < 50);
  });
});
