import { isUtf8 } from 'node:buffer';

/** The same bytes as a Buffer, not copied. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The text of the bytes; undefined when they are not UTF-8. A byte order mark is kept. */
export function utf8Text(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // The text contains a replacement character only after a malformed sequence, or when the input contains that
  // character.
  return text.includes('\ufffd') && !isUtf8(bytes) ? undefined : text;
}

/** Offset of the first byte that is not part of a well-formed UTF-8 sequence; for bytes that have one. */
export function invalidUtf8Offset(bytes: Buffer): number {
  // The decoder replaces from the first malformed byte on; up to there the text encodes back to the same bytes.
  const text = bytes.toString('utf8');
  let offset = 0;
  for (let at = 0; ; ) {
    const next = text.indexOf('\ufffd', at);
    if (next < 0) return offset;
    offset += Buffer.byteLength(text.slice(at, next));
    const sent = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!sent) return offset;
    offset += 3;
    at = next + 1;
  }
}
