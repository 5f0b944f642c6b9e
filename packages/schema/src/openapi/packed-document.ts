import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { compressedPiece, gzipOf, type Piece } from './pieces/index.ts';

const unpack = promisify(gunzip);

/**
 * A document ready to be sent. Only its compressed bytes are kept, which is a fraction of it and what nearly all clients take;
 * the few others wait for it to be unpacked.
 */
export interface OpenApiDocument {
  /** In gzip format. Must not be changed. */
  readonly packed: Buffer;
  readonly contentType: string;
  /** Upper-case hexadecimal digest of the digests of its pieces. */
  readonly hash: string;
  /** `hash` in quotes, for the ETag header. */
  readonly etag: string;
  /** The document itself: one buffer that concurrent callers share. Must not be changed. */
  body(): Promise<Buffer>;
}

/** A document of pieces, which are joined when they are requested: pieces may be parts of other documents too. */
export function joinedDocument(pieces: readonly Piece[], contentType: string): OpenApiDocument {
  const digests = createHash('sha256');
  for (const { digest } of pieces) digests.update(digest);
  const hash = digests.digest('hex').toUpperCase();
  const packed = whileUsed(() => gzipOf(pieces));
  return {
    get packed() {
      return packed();
    },
    contentType,
    hash,
    etag: `"${hash}"`,
    body: sharedBody(packed),
  };
}

export const packedDocument = async (body: Buffer, contentType: string): Promise<OpenApiDocument> =>
  joinedDocument([await compressedPiece(body)], contentType);

/** A value that is made again once nothing holds it. */
function whileUsed<T extends object>(make: () => T): () => T {
  let held: WeakRef<T> | undefined;
  return () => {
    const known = held?.deref();
    if (known !== undefined) return known;
    const made = make();
    held = new WeakRef(made);
    return made;
  };
}

function sharedBody(packed: () => Buffer): () => Promise<Buffer> {
  let held: WeakRef<Buffer> | undefined;
  let unpacking: Promise<Buffer> | undefined;
  return async () => {
    const known = held?.deref();
    if (known !== undefined) return known;
    unpacking ??= unpack(packed()).finally(() => {
      unpacking = undefined;
    });
    const body = await unpacking;
    held = new WeakRef(body);
    return body;
  };
}
