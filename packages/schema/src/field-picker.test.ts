import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonSyntaxError, parseJson } from '@orch/machinery/json';
import fc from 'fast-check';
import { fieldPicker } from './field-picker.ts';

const paths = ['type', 'spec.nodeName', 'spec.unit.size', 'status.phase', 'status.addresses'];
const pick = fieldPicker(paths);

const name = fc.oneof(
  fc.constantFrom('type', 'spec', 'nodeName', 'unit', 'size', 'status', 'phase', 'addresses', '__proto__'),
  fc.string({ maxLength: 5, unit: fc.constantFrom('a', '"', '\\', '{', ']', 'é') }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5e300, '', '}"{', 'a\\"b', 'é\u2028'),
    fc.array(tie('any'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('any'), { maxKeys: 6 }),
}));

/** The value at a path, if every field on the way to it exists. */
function at(object: unknown, path: string): unknown {
  let found = object;
  for (const field of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, field)) return undefined;
    found = (found as Record<string, unknown>)[field];
  }
  return found;
}

const picked = (text: string): Readonly<Record<string, unknown>> => pick(Buffer.from(text));

describe('a picker of fields', () => {
  it('a field picker returns at its paths the values that parsing returns', () => {
    fc.assert(
      fc.property(value.object, fc.constantFrom(undefined, 1), (object, space) => {
        const bytes = Buffer.from(JSON.stringify(object, null, space));
        const [some, whole] = [pick(bytes), parseJson(bytes)];
        for (const path of paths) assert.deepEqual(at(some, path), at(whole, path), path);
      }),
    );
  });

  it('a field picker omits fields that are not requested', () => {
    const text = '{"kind":"Pod","spec":{"nodeName":"a","containers":[{"x":"}"}],"unit":{"n":1}},"status":{}}';
    assert.deepEqual(picked(text), { spec: { nodeName: 'a', unit: {} }, status: {} });
  });

  it('a field picker takes the last of two fields with one name', () => {
    assert.deepEqual(picked('{"type":"a","type":"b"}'), { type: 'b' });
  });

  it('a field picker finds names that are written with escapes', () => {
    assert.equal(picked('{"t\\u0079pe":"a"}')['type'], 'a');
  });

  it('a field picker keeps numbers that a double cannot represent', () => {
    const text = '{"type":12345678901234567890}';
    assert.deepEqual(picked(text), parseJson(Buffer.from(text)));
  });

  it('a field picker rejects truncated bytes and values that are not JSON objects', () => {
    const whole = '{"kind":"Pod","metadata":{"labels":{"a":"b"}},"spec":{"nodeName":"n","x":[1,{"y":"z"}]}}';
    for (let end = 0; end < whole.length; end++) {
      assert.throws(() => picked(whole.slice(0, end)), JsonSyntaxError, whole.slice(0, end));
    }
    for (const text of ['[]', 'null', '"a"', '1']) assert.throws(() => picked(text), TypeError, text);
    for (const text of ['{} ,', '{}{}', '{"a":}', '{"type":tru}', '{"type" "a"}', '{"a":"b"}}'])
      assert.throws(() => picked(text), JsonSyntaxError, text);
  });
});
