import { crc32Concat } from './crc32-concat.ts';
import type { Piece } from './piece.ts';

/** Magic number, method deflate, no flags, no time, no information on the compression, system unknown (RFC 1952 section 2.3). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last deflate block: empty. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
const LENGTH_MODULUS = 2 ** 32;

/** Pieces one after another as one gzip member. */
export function gzipOf(pieces: readonly Piece[]): Buffer {
  let crc = 0;
  let length = 0;
  for (const piece of pieces) {
    crc = crc32Concat(crc, piece.crc, piece.crcShift);
    length += piece.length;
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc, 0);
  tail.writeUInt32LE(length % LENGTH_MODULUS, 4);
  return Buffer.concat([HEAD, ...pieces.map(({ deflated }) => deflated), LAST_BLOCK, tail]);
}
