export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

const METADATA = Buffer.from('"metadata":{');

/** A part of some JSON bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The position of the metadata object in the JSON of an object in canonical form (`kind`, `apiVersion`, `metadata`
 * first), including the braces. Kind and apiVersion are short, so the search ends after a few bytes.
 */
export function metadataSpan(json: Buffer): Span {
  const start = metadataStart(json);
  return { start, end: objectEnd(json, start) };
}

/** The start of the metadata object. */
export function metadataStart(json: Buffer): number {
  const found = json.indexOf(METADATA);
  if (found === -1) throw new TypeError('an object without metadata');
  return found + METADATA.length - 1;
}

/** Offset after the object that begins at `start`. */
export function objectEnd(json: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) i = stringEnd(json, i);
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return i + 1;
  }
  throw new TypeError('an object that does not end');
}

/** Offset of the quote that ends the string which begins at `start`. */
export function stringEnd(json: Buffer, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    const byte = json[i];
    if (byte === BACKSLASH) i++;
    else if (byte === QUOTE) return i;
  }
  throw new TypeError('a string that does not end');
}
