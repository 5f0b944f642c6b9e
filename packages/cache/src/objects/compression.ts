import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { ownBytes } from '@orch/machinery';

/** Smaller states are kept as they are. */
export const LARGE_BYTES = 16 * 1024;
/** Compressed bytes are used when they are at most this share of the bytes. */
const WORTH_SHARE = 1 / 2;

/** Compresses JSON in about a millisecond for each 4 MB. */
const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY + 1 } };

/** The compressed bytes of a large JSON text, in a buffer that nothing else shares; undefined when too little is saved. */
export function compressed(json: Buffer): Buffer | undefined {
  const bytes = brotliCompressSync(json, FASTEST);
  return bytes.length > json.length * WORTH_SHARE ? undefined : ownBytes(bytes);
}

export const decompressed = (bytes: Buffer): Buffer => brotliDecompressSync(bytes);
