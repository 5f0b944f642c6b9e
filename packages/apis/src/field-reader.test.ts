import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { fieldPicker } from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { fieldReader, textField } from './field-reader.ts';
import { builtinTypes } from './index.ts';

describe('a reader of a selectable field', () => {
  for (const type of builtinTypes) {
    const [hub] = type.versions;
    if (hub === undefined || Object.keys(type.fields).length === 0) continue;
    for (const [field, read] of Object.entries(type.fields)) {
      it(`a reader of a selectable field: ${field} of ${type.kind} is the same without the fields that its reader does not name`, () => {
        const { fields } = read;
        assert.ok(fields !== undefined, 'objects would be parsed as a whole for it');
        const pick = fieldPicker(fields);
        fc.assert(
          fc.property(arbitraryInput(hub.schema, 5), (input) => {
            const object = input as unknown as ApiObject;
            const reduced = pick(Buffer.from(JSON.stringify(object))) as ApiObject;
            assert.equal(read(reduced), read(object));
          }),
          { numRuns: 50 },
        );
      });
    }
  }

  it('a reader of a selectable field is empty where there is no string at the path', () => {
    const read = textField('spec.a.b');
    for (const spec of [undefined, null, 'x', [], { a: 1 }, { a: { b: 1 } }])
      assert.equal(read({ metadata: {}, spec }), '');
    assert.equal(read({ metadata: {}, spec: { a: { b: 'c' } } }), 'c');
  });

  it('a reader of a selectable field declares which fields it reads', () => {
    assert.deepEqual(fieldReader(['a', 'b.c'], () => '').fields, ['a', 'b.c']);
    assert.deepEqual(textField('a.b').fields, ['a.b']);
  });
});
