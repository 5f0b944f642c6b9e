import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32, gunzipSync } from 'node:zlib';
import { compressedPieces } from './compressed-pieces.ts';
import { crc32Concat, crc32Shift } from './crc32-concat.ts';
import { Gzip } from './gzip.ts';
import { compressedPiece, inflated, type Piece, STORED_BYTES, storedPiece } from './piece.ts';

const text = (length: number, of = 'abcde '): Buffer => Buffer.from(of.repeat(length).slice(0, length));

/** The gzip stream as it is sent, whose length is known before. */
function gzipOf(pieces: readonly Piece[]): Buffer {
  const gzip = new Gzip(pieces);
  const bytes = Buffer.concat([...gzip]);
  assert.equal(gzip.length, bytes.length);
  assert.equal(gzip.unpackedLength, gunzipSync(bytes).length);
  return bytes;
}

describe('pieces of a gzip stream', () => {
  it('the CRC-32 of two byte strings follows from those of the strings, for every length', () => {
    for (const first of [0, 1, 7, 1000]) {
      for (const second of [0, 1, 2, 3, 255, 256, 65_535, 1_000_003]) {
        const [a, b] = [text(first), text(second, '{"x":1}')];
        const whole = crc32Concat(crc32(a), crc32(b), crc32Shift(b.length));
        assert.equal(whole, crc32(Buffer.concat([a, b])), `${first} and ${second} bytes`);
      }
    }
  });

  it('pieces that were compressed apart are one gzip stream in any order', async () => {
    const sources = [
      text(100_000),
      text(0),
      text(3, 'xyz'),
      Buffer.from('ü€😀'),
      text(500_000, '{"a":[1,2]},'),
    ];
    const pieces: Piece[] = await Promise.all(sources.map((source) => compressedPiece(source)));
    for (const order of [[], [0], [1], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 2, 0, 4, 2]]) {
      const packed = gzipOf(order.map((at) => pieces[at]).filter((piece) => piece !== undefined));
      const whole = Buffer.concat(order.map((at) => sources[at]).filter((source) => source !== undefined));
      assert.deepEqual(gunzipSync(packed), whole, order.join(' '));
    }
  });

  it('entries are joined to pieces of at most 1 MiB, unless one entry is larger', async () => {
    const sizes = [400, 800, 12, 1000, 4, 1200, 0, 20].map((kib) => kib * 1024);
    const entries = sizes.map((size, at) => text(size, `${at}`));
    const separator = Buffer.from(',');
    const pieces = await compressedPieces(entries, separator);
    assert.deepEqual(
      pieces.map(({ length }) => Math.floor(length / 1024)),
      [400, 812, 1004, 1200, 20],
    );
    const joined = pieces.flatMap((piece, at) => (at === 0 ? [piece] : [storedPiece(separator), piece]));
    assert.equal(String(gunzipSync(gzipOf(joined))), entries.map(String).join(','));
    assert.deepEqual(await compressedPieces([], separator), []);
  });

  it('short pieces are stored, up to the largest block', async () => {
    const long = await compressedPiece(text(100_000));
    for (const bytes of [text(0), Buffer.from(','), text(STORED_BYTES)]) {
      const packed = gzipOf([storedPiece(bytes), long, storedPiece(bytes)]);
      assert.deepEqual(gunzipSync(packed), Buffer.concat([bytes, text(100_000), bytes]));
    }
    assert.throws(() => storedPiece(text(STORED_BYTES + 1)), /do not fit/);
  });

  it('a piece is unpacked apart from the others, whether it is compressed or stored', async () => {
    for (const source of [
      text(0),
      text(3),
      text(10_000),
      text(600_000),
      randomBytes(40_000),
      randomBytes(3),
    ]) {
      assert.deepEqual(await inflated(await compressedPiece(source)), source);
      if (source.length <= STORED_BYTES) assert.deepEqual(await inflated(storedPiece(source)), source);
    }
  });

  it('a thread of zlib unpacks a piece of any size into one buffer, so that this thread joins no chunks', async () => {
    const source = text(1_000_000);
    const { buffer } = await inflated(await compressedPiece(source));
    assert.equal(buffer.byteLength, source.length + 1);
  });

  it('a piece refers to no bytes before it', async () => {
    const same = await compressedPiece(text(10_000));
    const other = await compressedPiece(text(10_000, 'zyxwv'));
    assert.deepEqual(gunzipSync(gzipOf([other, same])), Buffer.concat([text(10_000, 'zyxwv'), text(10_000)]));
  });
});
