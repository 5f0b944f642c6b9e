import { copyBytes } from './copy-bytes.ts';

/**
 * A copy of bytes or text in separate memory, for small buffers that are kept: what `Buffer.from` and `Buffer.concat`
 * return may be a part of a pool of 64 KiB, all of which stays in memory as long as one of its parts.
 */
export function ownBytes(source: Buffer | string): Buffer {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  copyBytes(bytes, own, 0);
  return own;
}
