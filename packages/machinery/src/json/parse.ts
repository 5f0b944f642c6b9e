import { isUtf8 } from 'node:buffer';
import { type ParseJsonOptions, parseJsonPart } from './parse-text.ts';
import { hasRepeatedFields } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';

/** The text of JSON bytes. Throws a JsonSyntaxError when they are not UTF-8, or start with a byte order mark. */
export function jsonBytesToText(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes);
  const text = utf8Text(buffer);
  if (text === undefined) throw new JsonSyntaxError('invalid UTF-8', invalidUtf8Offset(buffer), 'encoding');
  if (text.charCodeAt(0) === 0xfeff) {
    throw new JsonSyntaxError('byte order mark: JSON must start without one', 0, 'encoding');
  }
  return text;
}

/**
 * Reads one JSON text from untrusted bytes. The caller must bound their number.
 *
 * Numbers keep their exact value: those that a double cannot hold come as exact numbers (`isExactNumber`). A field
 * `__proto__` is a field like any other; copy objects with spread or `cloneJson`, never by assignment. Of
 * duplicate fields the last one counts (`findDuplicateKeys` finds them).
 *
 * Throws a JsonSyntaxError with the byte offset: not JSON, not UTF-8, a byte order mark, nested too deep, or, with
 * `finite`, a number out of range, whose path the message names.
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): unknown {
  const text = jsonBytesToText(bytes);
  const value = parseJsonPart(text, options);
  const { onRepeatedFields } = options;
  if (onRepeatedFields !== undefined && hasRepeatedFields(text, value)) onRepeatedFields();
  return value;
}

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
