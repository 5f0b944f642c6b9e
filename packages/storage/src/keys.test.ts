import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import fc from 'fast-check';
import { compareKeys, inRange, keyAfter, lowerBound, prefixRange } from './keys.ts';

const bytes = (text: string) => Buffer.from(text);
const anyKey = unicodeString({ maxLength: 6 });

describe('keys and ranges', () => {
  it('keys and ranges are ordered by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (a, b) => {
        assert.equal(Math.sign(compareKeys(a, b)), Buffer.compare(bytes(a), bytes(b)));
      }),
    );
  });

  it('the keys in a prefix range are exactly those with the prefix', () => {
    const prefix = anyKey.filter((text) => text.replaceAll('\u{10ffff}', '') !== '');
    fc.assert(
      fc.property(prefix, anyKey, (start, key) => {
        const range = prefixRange(start);
        assert.ok(range.end.isWellFormed());
        assert.equal(inRange(range, key), bytes(key).subarray(0, bytes(start).length).equals(bytes(start)));
        assert.ok(inRange(range, start + key));
      }),
    );
  });

  it('prefixes that end with the last code point have a range that ends at their successor', () => {
    for (const [prefix, end] of [
      ['a', 'b'],
      ['a/', 'a0'],
      ['\u007f', '\u0080'],
      ['\ud7ff', '\ue000'],
      ['\uffff', '\u{10000}'],
      ['a\u{10ffff}', 'b'],
      ['', '\u{10ffff}'],
    ] as const) {
      assert.deepEqual(prefixRange(prefix), { start: prefix, end });
    }
  });

  it('keys are directly followed by their key after', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (key, other) => {
        assert.ok(!(compareKeys(key, other) < 0 && compareKeys(other, keyAfter(key)) < 0));
      }),
    );
  });

  it('keys are found in a sorted list by binary search', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey), anyKey, (keys, key) => {
        const sorted = [...keys].sort(compareKeys);
        const at = lowerBound(sorted, key);
        assert.ok(sorted.slice(0, at).every((k) => compareKeys(k, key) < 0));
        assert.ok(sorted.slice(at).every((k) => compareKeys(k, key) >= 0));
      }),
    );
  });
});
