import { crc32Concat } from './crc32-concat.ts';
import type { Piece } from './piece.ts';

/** Magic number, method deflate, no flags, no time, no information on the compression, system unknown (RFC 1952 section 2.3). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last deflate block: empty. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
const LENGTH_MODULUS = 2 ** 32;

/** Joins pieces into one gzip member: the bytes of the pieces between a head and a tail. */
export class Gzip implements Iterable<Buffer> {
  readonly length: number;
  readonly unpackedLength: number;
  readonly #pieces: readonly Piece[];
  readonly #tail = Buffer.allocUnsafeSlow(8);

  constructor(pieces: readonly Piece[]) {
    let crc = 0;
    let unpackedLength = 0;
    let length = HEAD.length + LAST_BLOCK.length + this.#tail.length;
    for (const piece of pieces) {
      crc = crc32Concat(crc, piece.crc, piece.crcShift);
      unpackedLength += piece.length;
      length += piece.deflated.length;
    }
    this.#tail.writeUInt32LE(crc, 0);
    this.#tail.writeUInt32LE(unpackedLength % LENGTH_MODULUS, 4);
    this.#pieces = pieces;
    this.length = length;
    this.unpackedLength = unpackedLength;
  }

  *[Symbol.iterator](): Generator<Buffer, void, undefined> {
    yield HEAD;
    for (const { deflated } of this.#pieces) yield deflated;
    yield LAST_BLOCK;
    yield this.#tail;
  }
}
