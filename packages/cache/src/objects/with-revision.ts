const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * The JSON of an object with another `metadata.resourceVersion`. `offset` is the offset of its first digit, -1 when
 * unknown. Bytes without a resourceVersion are returned unchanged.
 */
export function withRevision(json: Buffer, rev: number, offset: number): Buffer {
  const start = offset >= 0 ? offset : findRevision(json);
  if (start < 0) return json;
  const end = json.indexOf(QUOTE, start);
  if (end < 0) return json;
  const digits = String(rev);
  const out = Buffer.allocUnsafeSlow(start + digits.length + json.length - end);
  json.copy(out, 0, 0, start);
  out.write(digits, start, 'latin1');
  json.copy(out, start + digits.length, end);
  return out;
}

/**
 * Offset of the first digit of `metadata.resourceVersion` in the JSON of an object, -1 when there is none. Parses the
 * structure, since the same field name may occur anywhere in an object.
 */
export function findRevision(json: Buffer): number {
  const metadata = fieldValue(json, skipSpace(json, 0), 'metadata');
  const value = metadata < 0 ? -1 : fieldValue(json, metadata, 'resourceVersion');
  return value >= 0 && json[value] === QUOTE ? value + 1 : -1;
}

/** Offset of the value of a field of the object that begins at `start`, -1 when it has none. */
function fieldValue(json: Buffer, start: number, name: string): number {
  if (json[start] !== OPEN_BRACE) return -1;
  for (let i = skipSpace(json, start + 1); json[i] === QUOTE; ) {
    const end = skipString(json, i);
    const found = json.toString('latin1', i + 1, end - 1) === name;
    i = skipSpace(json, end);
    if (json[i] !== COLON) return -1;
    i = skipSpace(json, i + 1);
    if (found) return i;
    i = skipSpace(json, skipValue(json, i));
    if (json[i] !== COMMA) return -1;
    i = skipSpace(json, i + 1);
  }
  return -1;
}

function skipSpace(json: Buffer, from: number): number {
  let i = from;
  while (json[i] === 0x20 || json[i] === 0x0a || json[i] === 0x0d || json[i] === 0x09) i++;
  return i;
}

/** Offset after the string that begins at `from`. */
function skipString(json: Buffer, from: number): number {
  for (let i = from + 1; i < json.length; i++) {
    if (json[i] === BACKSLASH) i++;
    else if (json[i] === QUOTE) return i + 1;
  }
  return json.length;
}

/** Offset after the value that begins at `from`, of any depth. */
function skipValue(json: Buffer, from: number): number {
  let depth = 0;
  for (let i = from; i < json.length; ) {
    const byte = json[i];
    if (byte === QUOTE) {
      i = skipString(json, i);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      i++;
      continue;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return i;
      depth--;
      i++;
    } else if (depth === 0 && byte === COMMA) {
      return i;
    } else {
      i++;
      continue;
    }
    if (depth === 0) return i;
  }
  return json.length;
}
