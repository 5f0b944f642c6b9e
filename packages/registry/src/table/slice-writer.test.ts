import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SliceWriter } from './slice-writer.ts';

const SIZES = [0, 1, 24, 25, 26, 200];
const letters = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');

/** Copies pieces of a source, some whole and some within it, and returns all slices. */
function written(sliceBytes: number, source: (text: string) => Buffer): string {
  const out = new SliceWriter(sliceBytes);
  const slices: (Buffer | undefined)[] = [];
  for (const size of SIZES) {
    const text = letters(size);
    slices.push(out.reserve(2 * size + 3));
    out.copy(source(text), 0, size);
    out.copy(source(`<${text}>`), 1, size + 1);
    out.ascii('10y');
  }
  return [...slices, out.flush()].map((slice) => slice?.toString() ?? '').join('');
}

describe('slices of tables', () => {
  const expected = SIZES.map((size) => `${letters(size)}${letters(size)}10y`).join('');

  it('slices of any size have all bytes in order', () => {
    for (const sliceBytes of [0, 1, 60, 1000])
      assert.equal(
        written(sliceBytes, (text) => Buffer.from(text)),
        expected,
      );
  });

  it('bytes in memory that threads share are copied', () => {
    const shared = (text: string): Buffer => {
      const bytes = Buffer.from(new SharedArrayBuffer(text.length));
      bytes.write(text);
      return bytes;
    };
    assert.equal(written(60, shared), expected);
  });

  it('a writer refuses bytes for which there is no room', () => {
    const out = new SliceWriter(10);
    out.reserve(10);
    assert.throws(() => out.copy(Buffer.alloc(40), 0, 40), RangeError);
  });
});
