import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from './parse.ts';
import { JsonSlice } from './slice.ts';
import { JsonSyntaxError } from './syntax-error.ts';

const slice = (text: string): JsonSlice => JsonSlice.of(Buffer.from(text));

/** The value again, from the slices of its parts. */
function rebuilt(value: JsonSlice): unknown {
  if (value.isList) return [...value.elements()].map(rebuilt);
  if (value.isObject)
    return Object.fromEntries([...value.members()].map(([name, of]) => [name, rebuilt(of)]));
  return value.parse();
}

describe('a slice of a JSON text', () => {
  for (const text of [
    '{}',
    '[]',
    ' { "a" : [ 1 , "x" , null ] , "b" : { } } ',
    '{"a":{"b":[{"c":"}],{"}]},"d":-1.5e3,"e":true}',
    String.raw`{"\"":"\\","\u0061":"\"}","":""}`,
    '[[],[[]],{"a":{}}]',
    '"only text"',
    '12345678901234567890',
  ])
    it(`a slice of ${text} has the members and elements of the value`, () =>
      assert.deepEqual(rebuilt(slice(text)), parseJson(Buffer.from(text))));

  it('a slice has the text of its value, and finds a member by its name', () => {
    const value = slice('{"a":1,"b": [true] ,"c":{}}');
    assert.equal(value.member('b')?.text, '[true]');
    assert.equal(value.member('B'), undefined);
    assert.equal(slice('[1]').member('b'), undefined);
  });

  for (const text of ['{"a"1}', '{a:1}', '{"a":}', '[1 2]', '{"a":1,,}', '[1,', '{"a":"', '{"a":1'])
    it(`a slice of ${text} ends, with an error or the readable part`, () => {
      try {
        rebuilt(slice(text));
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError || error instanceof SyntaxError, String(error));
      }
    });

  it('a slice of an object with a hundred thousand members is read in one pass', () => {
    const object = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
    const members = slice(JSON.stringify(object)).members();
    assert.equal(
      members.reduce((count) => count + 1, 0),
      100_000,
    );
  });
});
