import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * A document ready to be sent. Only its compressed bytes are kept, which is a fraction of it and what nearly all clients take;
 * the few others wait for it to be unpacked.
 */
export interface OpenApiDocument {
  /** In gzip format. */
  readonly packed: Buffer;
  readonly contentType: string;
  /** Upper-case hexadecimal digest of the body. */
  readonly hash: string;
  /** `hash` in quotes, for the ETag header. */
  readonly etag: string;
  /** The document itself: one buffer that concurrent callers share. Must not be changed. */
  body(): Promise<Buffer>;
}

export async function packedDocument(body: Buffer, contentType: string): Promise<OpenApiDocument> {
  const hash = createHash('sha256').update(body).digest('hex').toUpperCase();
  const packed = await pack(body);
  return { packed, contentType, hash, etag: `"${hash}"`, body: sharedBody(packed) };
}

function sharedBody(packed: Buffer): () => Promise<Buffer> {
  let held: WeakRef<Buffer> | undefined;
  let unpacking: Promise<Buffer> | undefined;
  return async () => {
    const known = held?.deref();
    if (known !== undefined) return known;
    unpacking ??= unpack(packed).finally(() => {
      unpacking = undefined;
    });
    const body = await unpacking;
    held = new WeakRef(body);
    return body;
  };
}
