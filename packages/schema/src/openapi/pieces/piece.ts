import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { ownBytes } from '@orch/machinery';
import { crc32Shift } from './crc32-concat.ts';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

/** `fast` takes a third of the time of `small`, and a quarter more bytes. */
export type Compression = 'fast' | 'small';

const finishFlush = constants.Z_SYNC_FLUSH;
const paramsOf = { fast: { finishFlush, level: 3 }, small: { finishFlush } } as const;
/** Compressing up to this number of bytes takes less time than handing them to a thread. */
const BYTES_AT_ONCE = 16 * 1024;
/** Decompressing up to this number of bytes takes less time than handing them to a thread. */
const UNPACKED_AT_ONCE = 128 * 1024;
/** A window for so few bytes takes a quarter of the memory of the usual one, all of which is written before the first byte. */
const smallWindow = { windowBits: 13, memLevel: 6 } as const;
const SMALL_WINDOW_BYTES = 2 ** smallWindow.windowBits;

/** Bytes, or text in their place: its UTF-8 encoding. */
export type Encoded = Buffer | string;

/** A part of a document, compressed so that its bytes can be anywhere in a gzip stream. */
export interface Piece {
  /** Deflate blocks, none of which is the last one or refers to bytes before them; they end at a whole byte. */
  readonly deflated: Buffer;
  /** Bytes before compression. */
  readonly length: number;
  /** Checksum of the bytes before compression. */
  readonly crc: number;
  readonly crcShift: number;
  /** SHA-256 of the bytes before compression. */
  readonly digest: Buffer;
}

const describe = (bytes: Buffer): Omit<Piece, 'deflated'> => ({
  length: bytes.length,
  crc: crc32(bytes),
  crcShift: crc32Shift(bytes.length),
  digest: createHash('sha256').update(bytes).digest(),
});

export async function compressedPiece(bytes: Buffer, compression: Compression = 'small'): Promise<Piece> {
  const params = paramsOf[compression];
  const deflated =
    bytes.length <= SMALL_WINDOW_BYTES
      ? deflateRawSync(bytes, { ...params, ...smallWindow })
      : bytes.length <= BYTES_AT_ONCE
        ? deflateRawSync(bytes, params)
        : await compress(bytes, params);
  return { deflated: ownBytes(deflated), ...describe(bytes) };
}

/** Maximum number of bytes of an uncompressed deflate block. */
export const STORED_BYTES = 0xffff;

const STORED_HEAD_BYTES = 5;

/** A short piece that is not compressed. */
export function storedPiece(bytes: Buffer): Piece {
  if (bytes.length > STORED_BYTES) throw new RangeError(`${bytes.length} bytes do not fit in one block`);
  const head = Buffer.alloc(STORED_HEAD_BYTES);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ STORED_BYTES, 3);
  return { deflated: ownBytes(Buffer.concat([head, bytes])), ...describe(bytes) };
}

/** Reports whether a piece stores its bytes uncompressed. A compressed piece has more overhead than a header: at least an empty block. */
export const isStored = ({ deflated, length }: Piece): boolean =>
  deflated.length === STORED_HEAD_BYTES + length;

/** The bytes of a piece before compression. */
export async function inflated(piece: Piece): Promise<Buffer> {
  const { deflated, length } = piece;
  if (isStored(piece)) return deflated.subarray(STORED_HEAD_BYTES);
  const isShort = length <= UNPACKED_AT_ONCE;
  // A thread fills the whole piece before it returns to this one; by default, it returns after every 16 KB.
  return isShort
    ? inflateRawSync(deflated, { finishFlush })
    : decompress(deflated, { finishFlush, chunkSize: length + 1 });
}
