import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allFieldsOf, FieldInterner, fieldOf, type HeldFields } from './field-layout.ts';
import { Interner } from './interner.ts';
import { nameOf, namespaceOf } from './keys.ts';

const selectableFields = ['metadata.name', 'metadata.namespace', 'spec.node', 'status.ip', 'status.ips'];
const distinctFields = ['status.ip', 'status.ips'];

function makeInterner(): FieldInterner {
  const strings = new Interner();
  return new FieldInterner({ selectableFields, distinctFields }, (text) => strings.string(text));
}

const held = (key: string, { set: fieldSet, distinct }: HeldFields) => ({
  name: nameOf(key),
  namespace: namespaceOf(key),
  fieldSet,
  distinct,
});

describe('the interner of selectable fields', () => {
  for (const [what, key, values] of [
    ['an object in a namespace', 'ns/name', ['name', 'ns', 'n', 'a', 'a']],
    ['an object with two distinct values', 'ns/name', ['name', 'ns', 'n', 'a', 'a,b']],
    ['an object of the cluster', 'name', ['name', '', 'n', '', '']],
    ['an object with another name than that of its key', 'ns/name', ['other', 'ns', 'n', 'a', 'b']],
    ['an object with another namespace than that of its key', 'ns/name', ['name', '', 'n', 'a', 'b']],
    ['an object with a separator in a value', 'ns/name', ['name', 'ns', 'n\0a', '', '']],
  ] as const)
    it(`the values of ${what} are those that were held`, () => {
      const interner = makeInterner();
      // Another object, with which it may share values.
      interner.hold('ns/first', ['first', 'ns', 'n', 'a', 'a'], undefined);
      const object = held(key, interner.hold(key, values, undefined));
      assert.deepEqual(allFieldsOf(object), values);
      assert.deepEqual(
        values.map((_, position) => fieldOf(object, position)),
        values,
      );
      assert.equal(fieldOf(object, values.length), '');
    });

  it('objects share all values but their names and distinct values', () => {
    const interner = makeInterner();
    const one = interner.hold('a/one', ['one', 'a', 'n', '1', '1'], undefined);
    const two = interner.hold('b/two', ['two', 'b', 'n', '2', '2,3'], undefined);
    const other = interner.hold('b/two', ['two', 'b', 'm', '2', '2'], undefined);
    assert.equal(one.set, two.set);
    assert.notEqual(two.set, other.set);
  });

  it('a state of an object with equal values has those of the previous state', () => {
    const interner = makeInterner();
    const values = ['name', 'ns', 'n', '1', '1,2'];
    const first = interner.hold('ns/name', values, undefined);
    const next = interner.hold('ns/name', values, held('ns/name', first));
    assert.equal(next.set, first.set);
    assert.equal(next.distinct, first.distinct);
    const changed = ['name', 'ns', 'n', '1', '1,3'];
    const after = interner.hold('ns/name', changed, held('ns/name', first));
    assert.deepEqual(allFieldsOf(held('ns/name', after)), changed);
  });

  it('values are right beyond the number of sets that are remembered', () => {
    const interner = makeInterner();
    for (let i = 0; i < 40_000; i++) {
      const key = `ns/name-${i}`;
      const values = [`name-${i}`, 'ns', `n-${i % 20_000}`, '', ''];
      assert.deepEqual(allFieldsOf(held(key, interner.hold(key, values, undefined))), values);
    }
  });
});
