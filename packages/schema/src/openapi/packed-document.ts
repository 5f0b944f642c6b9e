import { createHash } from 'node:crypto';
import { compressedPiece, Gzip, type Piece } from './pieces/index.ts';
import { Unpacking } from './unpacking.ts';

/** Documents are read in slices of this size; one of another server is cut into such pieces. */
const SLICE_BYTES = 256 * 1024;
/** Shorter slices are joined with others before they are written. */
const PAUSE_BEFORE_BYTES = 64 * 1024;
/** Tells the reader to wait for its turn. */
const PAUSE = Buffer.alloc(0);

/**
 * A document ready to be sent. Only the compressed bytes of its pieces are kept, which other documents may be made of too; the
 * whole of it is never in memory.
 */
export interface OpenApiDocument {
  readonly contentType: string;
  /** Upper-case hexadecimal digest of the digests of its pieces. */
  readonly hash: string;
  /** `hash` in quotes, for the ETag header. */
  readonly etag: string;
  /** In gzip format, which nearly all clients take. */
  readonly packed: SizedBytes<Iterable<Buffer>>;
  /** The document itself, unpacked piece by piece as its reader takes it, with other work of this thread between them. */
  readonly body: SizedBytes<AsyncIterable<Buffer>>;
}

/** Bytes in a row, none of which may be changed. They may be iterated repeatedly. */
export interface SizedBytes<Chunks> {
  readonly chunks: Chunks;
  /** The sum of their lengths. */
  readonly length: number;
}

/** A document of pieces, which are joined while they are sent: pieces may be parts of other documents too. */
export function joinedDocument(
  pieces: readonly Piece[],
  contentType: string,
  unpacking = new Unpacking({}),
): OpenApiDocument {
  const digests = createHash('sha256');
  for (const { digest } of pieces) digests.update(digest);
  const hash = digests.digest('hex').toUpperCase();
  const gzip = new Gzip(pieces);
  return {
    contentType,
    hash,
    etag: `"${hash}"`,
    packed: { chunks: gzip, length: gzip.length },
    body: {
      chunks: { [Symbol.asyncIterator]: () => unpacked(pieces, unpacking) },
      length: gzip.unpackedLength,
    },
  };
}

/** The document of another server. */
export async function packedDocument(body: Buffer, contentType: string): Promise<OpenApiDocument> {
  const pieces: Piece[] = [];
  for (let at = 0; at < body.length; at += SLICE_BYTES)
    pieces.push(await compressedPiece(body.subarray(at, at + SLICE_BYTES)));
  return joinedDocument(pieces, contentType);
}

/**
 * Slices that take less than a millisecond to encrypt: their reader lets other work of this thread happen between them. A long piece is
 * unpacked by another thread, so that its first slice waits for a turn too.
 */
async function* unpacked(
  pieces: readonly Piece[],
  unpacking: Unpacking,
): AsyncGenerator<Buffer, void, undefined> {
  for (const piece of pieces) {
    const bytes = await unpacking.bytesOf(piece);
    if (bytes.length >= PAUSE_BEFORE_BYTES) yield PAUSE;
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
  }
}
