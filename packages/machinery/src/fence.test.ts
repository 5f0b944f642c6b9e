import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatFence, parseFence } from './fence.ts';
import { unicodeString } from './testing/unicode-string.ts';

describe('a fence', () => {
  const fence = { namespace: 'system', name: 'boss', uid: 'u-1', holder: 'host/x (1)', transitions: 3 };

  it('a fence is one word, and is read back as it was', () => {
    assert.match(formatFence(fence), /^[^ ()]+$/);
    assert.deepEqual(parseFence(formatFence(fence)), fence);
  });

  it('a fence of any holder and uid is read back as it was', () => {
    const text = unicodeString({ minLength: 1 });
    fc.assert(
      fc.property(text, text, fc.nat(), (holder, uid, transitions) => {
        const any = { ...fence, holder, uid, transitions };
        assert.match(formatFence(any), /^[\x21-\x7e]+$/);
        assert.deepEqual(parseFence(formatFence(any)), any);
      }),
    );
  });

  for (const [text, why] of [
    ['', 'nothing'],
    ['a/b/c/d/e', 'no number of transitions'],
    ['a/b/1/d', 'too few parts'],
    ['a/b/1/d/e/f', 'too many parts'],
    ['a/b/1/%zz/e', 'an escape that is none'],
    ['a/b/-1/d/e', 'a negative number'],
    ['a/b/1e3/d/e', 'a number in another notation'],
    ['a/b/12345678901/d/e', 'a number that no Lease can have'],
    ['a/b/1//e', 'an empty holder'],
    ['a/b/1/d/', 'no uid'],
    ['/b/1/d/e', 'no namespace'],
    ['a//1/d/e', 'no name'],
    ['a/b%2Fc/1/d/e', 'a name with a slash'],
    ['a%2Fb/c/1/d/e', 'a namespace with a slash'],
    ['a/b/1/d/e, a/b/1/d/e', 'two fences'],
  ] as const) {
    it(`a fence is not read from ${why}`, () => assert.equal(parseFence(text), undefined));
  }
});
