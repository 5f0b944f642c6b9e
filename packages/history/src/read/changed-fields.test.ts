import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '@orch/machinery/concurrency';
import { JsonSlice } from '@orch/machinery/json';
import { changedFields, isSameValue } from './changed-fields.ts';

type Slice = JsonSlice | undefined;
const changed = (before: JsonSlice, after: JsonSlice) => atOnce(changedFields(before, after));
const isSame = (a: Slice, b: Slice) => atOnce(isSameValue(a, b));
const slice = (value: unknown): JsonSlice => JsonSlice.of(Buffer.from(JSON.stringify(value)));

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
    it(`the changed fields of an object are found for ${title}`, () =>
      assert.deepEqual(changed(slice(before), slice(after)).fields, expected));
  }

  it('the changed fields of an object are counted beyond a number', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
    const { fields, more } = changed(slice({}), slice(many));
    assert.equal(fields.length + more, 100);
    assert.ok(fields.length < 50);
  });

  it('the changed fields of an object are found in the order of either object, and for values that are written differently', () => {
    const before = JsonSlice.of(Buffer.from('{"a":{"x":1.0,"y":"\\u0041"},"b":1,"c":[1, 2]}'));
    const after = JsonSlice.of(Buffer.from('{"c":[1,2.0],"b":2,"a":{"y":"A","x":1}}'));
    assert.deepEqual(changed(before, after), { fields: ['b'], more: 0 });
    assert.equal(isSame(before.member('a'), after.member('a')), true);
    assert.equal(isSame(before.member('b'), after.member('b')), false);
    assert.equal(isSame(before.member('d'), after.member('d')), true);
    assert.equal(isSame(before.member('a'), undefined), false);
  });

  it('changed fields are found around the depth at which scans of large values end', () => {
    const nested = (value: string): string =>
      `${'{"n":'.repeat(400)}"${value.repeat(10_000)}"${'}'.repeat(400)}`;
    const [before, after] = [nested('a'), nested('b')].map((text) => JsonSlice.of(Buffer.from(text)));
    assert.ok(before !== undefined && after !== undefined);
    const { fields, more } = changed(before, after);
    assert.equal(more, 0);
    assert.match(fields.join(), /^n(\.n){10,20}$/);
  });

  it('the changed fields of an object are named by keys where a list has thousands of elements', () => {
    const elements = (changed: number) =>
      Array.from({ length: 5000 }, (_, i) => ({ name: `e${i}`, value: i === changed ? 'x' : 'y' }));
    const { fields } = changed(slice({ l: elements(7) }), slice({ l: elements(4999).toReversed() }));
    assert.deepEqual(fields.toSorted(), ['l[e4999].value', 'l[e7].value']);
  });
});
