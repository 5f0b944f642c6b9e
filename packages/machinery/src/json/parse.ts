import { isUtf8 } from 'node:buffer';
import { type NumberOptions, parseLossless } from './lossless.ts';
import { EXACT_NUMBERS, SPELLED_INTEGERS, scanJson, WIDE_OBJECTS } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { JsonWalker } from './walk.ts';
import { noteWidths } from './width.ts';

/**
 * Default nesting limit. Schemas of real kinds stay below 100 levels, and the stack suffices for several thousand in
 * all recursive functions (codecs, merge, `JSON.stringify`): 500 leaves a margin on both sides.
 */
export const MAX_JSON_DEPTH = 500;

export interface ParseJsonOptions extends NumberOptions {
  /** Levels of objects and arrays; default 500. */
  readonly maxDepth?: number;
  /** Called before the end when the text may have numbers that a double cannot hold, for callers that look for them. */
  readonly onExactNumbers?: () => void;
}

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
  return parseJsonPart(jsonBytesToText(bytes), options);
}

/** As `parseJson`, of a text. */
export function parseJsonPart(text: string, options: ParseJsonOptions): unknown {
  const found = scanJson(text, options.maxDepth ?? MAX_JSON_DEPTH);
  if ((found & EXACT_NUMBERS) !== 0) options.onExactNumbers?.();
  const value = lossyIn(found, options) ? parseLossless(text, options) : parsed(text);
  if ((found & WIDE_OBJECTS) !== 0) noteWidths(value);
  return value;
}

/** Whether a text with these contents has numbers that `JSON.parse` would change. */
export const lossyIn = (found: number, { keepSpelling = false }: NumberOptions): boolean =>
  (found & (keepSpelling ? EXACT_NUMBERS | SPELLED_INTEGERS : EXACT_NUMBERS)) !== 0;

/** Reads the text of a value that `parseJson` would accept, or has accepted. Widths are not noted. */
export function parseJsonText(text: string): unknown {
  return (scanJson(text, MAX_JSON_DEPTH) & EXACT_NUMBERS) === 0 ? parsed(text) : parseLossless(text, {});
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The walker determines the position, with the same message on every version of the runtime.
    new JsonWalker(text).walk();
    throw cause;
  }
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
