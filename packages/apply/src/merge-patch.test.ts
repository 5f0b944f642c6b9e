import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyMergePatch } from './index.ts';

describe('JSON merge patch', () => {
  // The examples of RFC 7386, appendix A.
  const examples: readonly (readonly [document: unknown, patch: unknown, result: unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [document, patch, result] of examples) {
    it(`a merge patch of ${JSON.stringify(document)} with ${JSON.stringify(patch)} has the specified result`, () => {
      assert.deepEqual(applyMergePatch(document, patch), result);
    });
  }

  it('a merge patch treats __proto__ as an ordinary name', () => {
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const result = applyMergePatch({ a: 1 }, patch);
    assert.equal(
      JSON.stringify(result),
      '{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('a merge patch keeps exact numbers unchanged', () => {
    const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('12345678901234567890');
    assert.equal(JSON.stringify(applyMergePatch({ n: 1 }, { n: raw })), '{"n":12345678901234567890}');
  });

  it('a merge patch is idempotent, does not modify its input and leaves no null of the patch', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (document, patch) => {
        const text = JSON.stringify([document, patch]);
        const once = applyMergePatch(document, patch);
        assert.deepEqual(applyMergePatch(once, patch), once);
        assert.equal(JSON.stringify([document, patch]), text);
      }),
    );
  });
});
