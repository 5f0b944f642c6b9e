// `Buffer` decodes and encodes several times as fast as the classes of the platform, and browsers do not have it.

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): Uint8Array =>
  typeof Buffer === 'undefined' ? encoder.encode(text) : Buffer.from(text, 'utf8');

/** The text of bytes, with a replacement character in the place of bytes that are not UTF-8. */
export const lenientTextOf = (bytes: Uint8Array): string =>
  typeof Buffer === 'undefined'
    ? lenient.decode(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** The text of bytes, a byte order mark included. Throws a TypeError for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (typeof Buffer === 'undefined') return strict.decode(bytes);
  const text = lenientTextOf(bytes);
  // A replacement character may be in the bytes.
  return text.includes('\ufffd') ? strict.decode(bytes) : text;
}

/** The parts as one array of `size` bytes. A single part is not copied. */
export function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = typeof Buffer === 'undefined' ? new Uint8Array(size) : Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
