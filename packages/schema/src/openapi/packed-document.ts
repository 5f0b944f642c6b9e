import { createHash } from 'node:crypto';
import { compressedPiece, Gzip, inflated, type Piece } from './pieces/index.ts';
import { Turns } from './turns.ts';

/** A document of another server is cut into pieces of this size: each reader holds one of them. */
const SLICE_BYTES = 256 * 1024;

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
export function joinedDocument(pieces: readonly Piece[], contentType: string): OpenApiDocument {
  const digests = createHash('sha256');
  for (const { digest } of pieces) digests.update(digest);
  const hash = digests.digest('hex').toUpperCase();
  const gzip = new Gzip(pieces);
  return {
    contentType,
    hash,
    etag: `"${hash}"`,
    packed: { chunks: gzip, length: gzip.length },
    body: { chunks: { [Symbol.asyncIterator]: () => unpacked(pieces) }, length: gzip.unpackedLength },
  };
}

/** The document of another server. */
export async function packedDocument(body: Buffer, contentType: string): Promise<OpenApiDocument> {
  const pieces: Piece[] = [];
  for (let at = 0; at < body.length; at += SLICE_BYTES)
    pieces.push(await compressedPiece(body.subarray(at, at + SLICE_BYTES)));
  return joinedDocument(pieces, contentType);
}

async function* unpacked(pieces: readonly Piece[]): AsyncGenerator<Buffer, void, undefined> {
  const turns = new Turns();
  for (const piece of pieces) {
    yield await inflated(piece);
    await turns.processed(piece.length);
  }
}
