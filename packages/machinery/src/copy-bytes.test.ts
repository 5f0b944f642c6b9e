import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyBytes } from './copy-bytes.ts';

describe('copyBytes between memory of one thread and of several', () => {
  const own = (length: number): Uint8Array => new Uint8Array(length);
  const shared = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

  for (const [title, from, to] of [
    ['own to own memory', own, own],
    ['shared to own memory', shared, own],
    ['own to shared memory', own, shared],
    ['shared to shared memory', shared, shared],
  ] as const)
    it(`${title}: exactly the bytes of the array are copied`, () => {
      for (const length of [0, 1, 2, 7, 8, 9, 4_600]) {
        const source = from(length + 4).subarray(2, 2 + length);
        for (const index of source.keys()) source[index] = (index % 250) + 1;
        const target = to(length + 6);
        copyBytes(source, target, 3);
        assert.deepEqual([...target], [0, 0, 0, ...source, 0, 0, 0]);
      }
    });

  it('bytes without room are refused, and nothing is copied', () => {
    const target = own(4);
    assert.throws(() => copyBytes(own(3).fill(1), target, 2), RangeError);
    assert.deepEqual([...target], [0, 0, 0, 0]);
    copyBytes(own(0), target, 4);
  });
});
