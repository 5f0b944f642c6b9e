/**
 * Keys of objects that are read from their JSON, so that no string has to be kept for each object. The canonical JSON of an object
 * begins with its kind and version; the metadata follow, with the name, the prefix of a generated name and the namespace first.
 */
const QUOTE = 0x22;
const SLASH = 0x2f;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_G = 0x67;
const LETTER_N = 0x6e;
const CAPITAL_N = 0x4e;
const LETTER_E = 0x65;

const METADATA = Buffer.from('"metadata":');
const NAME = Buffer.from('{"name":"');
/** What follows the name after its last character. The characters at these two positions tell the two apart from all other fields. */
const GENERATE_NAME = '","generateName":"';
const NAMESPACE = '","namespace":"';
const FIRST_LETTER = 3;
const OTHER_LETTER = 11;

/** The largest offset of a name that is used: the search for it must be short. */
const LARGEST_NAME_OFFSET = 255;

/** Longer keys are not read from JSON. */
const LONGEST_KEY = 512;
/** A key while `keyAt` makes a string of it: one string costs half of what two and their concatenation do. */
const joined = Buffer.alloc(LONGEST_KEY);

/** The place of the JSON of an object. */
export interface JsonPlace {
  readonly slab: { readonly bytes: Buffer };
  readonly offset: number;
  readonly size: number;
}

/**
 * The offset of the name in the JSON of an object from which the functions below read its key; 0 when they would read another one,
 * because the JSON has another order or the key has characters that JSON escapes. They read nothing outside of the JSON, so that they
 * read the same key wherever it is moved. `usual` is an offset that is tried before the name is searched.
 */
export function nameOffsetOf(place: JsonPlace, key: string, usual = 0): number {
  const { bytes } = place.slab;
  const { offset, size } = place;
  if (usual > 0 && isNameOffset(place, usual, key)) return usual;
  const last = offset + Math.min(size, LARGEST_NAME_OFFSET - NAME.length);
  let at = offset + METADATA.length + 1;
  while (at < last && bytes[at] !== OPEN_BRACE) at++;
  const isFound = startsWith(bytes, at - METADATA.length, METADATA) && startsWith(bytes, at, NAME);
  const name = at + NAME.length - offset;
  return isFound && isNameOffset(place, name, key) ? name : 0;
}

/** Reports whether the functions below read a key from the JSON, with the name at an offset, and nothing outside of the JSON. */
function isNameOffset({ slab: { bytes }, offset, size }: JsonPlace, name: number, key: string): boolean {
  const end = key.length > LONGEST_KEY ? 0 : keyEndAt(bytes, offset + name, key);
  return end > 0 && end + GENERATE_NAME.length < offset + size && bytes[offset + size - 1] === CLOSE_BRACE;
}

/** The key of the object whose name is at a position. */
export function keyAt(bytes: Buffer, name: number): string {
  const nameEnd = endOf(bytes, name);
  const namespace = namespaceAfter(bytes, nameEnd);
  let length = 0;
  if (namespace > 0) {
    for (let at = namespace; bytes[at] !== QUOTE; at++) joined[length++] = bytes[at] ?? 0;
    joined[length++] = SLASH;
  }
  for (let at = name; at < nameEnd; at++) joined[length++] = bytes[at] ?? 0;
  return joined.toString('latin1', 0, length);
}

/** The name at a position. */
export const nameAt = (bytes: Buffer, name: number): string =>
  bytes.toString('latin1', name, endOf(bytes, name));

/** The namespace of the object whose name is at a position; empty when it has none. */
export function namespaceAt(bytes: Buffer, name: number): string {
  const start = namespaceAfter(bytes, endOf(bytes, name));
  return start < 0 ? '' : bytes.toString('latin1', start, endOf(bytes, start));
}

/** Compares the key of the object whose name is at a position with another key, as `compareKeys` does. */
export function compareKeyAt(bytes: Buffer, name: number, key: string): number {
  let at = 0;
  const namespace = namespaceAfter(bytes, endOf(bytes, name));
  if (namespace > 0) {
    for (let i = namespace; bytes[i] !== QUOTE; i++, at++) {
      const difference = differenceOf(bytes[i], key, at);
      if (difference !== 0) return difference;
    }
    const difference = differenceOf(SLASH, key, at++);
    if (difference !== 0) return difference;
  }
  for (let i = name; bytes[i] !== QUOTE; i++, at++) {
    const difference = differenceOf(bytes[i], key, at);
    if (difference !== 0) return difference;
  }
  return at === key.length ? 0 : -1;
}

/** Reports whether the key of the object whose name is at a position is `key`. */
export const hasKeyAt = (bytes: Buffer, name: number, key: string): boolean => keyEndAt(bytes, name, key) > 0;

/** Reports whether the object whose name is at a position is in a namespace, which is given with a slash at its end. */
export function isBelowAt(bytes: Buffer, name: number, prefix: string): boolean {
  const namespace = namespaceAfter(bytes, endOf(bytes, name));
  const last = prefix.length - 1;
  if (namespace < 0 || prefix.charCodeAt(last) !== SLASH) return false;
  for (let at = 0; at < last; at++)
    if (!isCharacter(bytes[namespace + at], prefix.charCodeAt(at))) return false;
  return bytes[namespace + last] === QUOTE;
}

/** The position of the last quote that is read for the key of the object whose name is at a position; 0 when its key is not `key`. */
function keyEndAt(bytes: Buffer, name: number, key: string): number {
  const slash = key.indexOf('/');
  const from = slash + 1;
  const nameEnd = name + key.length - from;
  if (bytes[nameEnd] !== QUOTE) return 0;
  // The ends of names differ more often than their beginnings.
  for (let at = nameEnd - 1, i = key.length - 1; at >= name; at--, i--)
    if (!isCharacter(bytes[at], key.charCodeAt(i))) return 0;
  const namespace = namespaceAfter(bytes, nameEnd);
  if (namespace < 0) return slash < 0 ? -namespace : 0;
  if (slash < 0) return 0;
  for (let at = 0; at < slash; at++) if (!isCharacter(bytes[namespace + at], key.charCodeAt(at))) return 0;
  return bytes[namespace + slash] === QUOTE ? namespace + slash : 0;
}

/** Reports whether a byte is a character of a key. A quote is not: it ends the string in JSON, whatever key a client names. */
const isCharacter = (byte: number | undefined, character: number): boolean =>
  byte === character && character !== QUOTE;

/** A byte of a key against a character of another one. Bytes are ASCII, since JSON with others is not the key. */
function differenceOf(byte: number | undefined, key: string, at: number): number {
  return at < key.length ? (byte ?? 0) - key.charCodeAt(at) : 1;
}

/** The position of the quote that ends a string. */
function endOf(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== QUOTE) end++;
  return end;
}

/**
 * The position of the namespace after the name that ends at a position. When none follows, it is negative: the position at which the
 * name, or the prefix that it was generated from, ends.
 */
function namespaceAfter(bytes: Buffer, nameEnd: number): number {
  let end = nameEnd;
  if (bytes[end + FIRST_LETTER] === LETTER_G && bytes[end + OTHER_LETTER] === CAPITAL_N)
    end = endOf(bytes, end + GENERATE_NAME.length);
  const isFound = bytes[end + FIRST_LETTER] === LETTER_N && bytes[end + OTHER_LETTER] === LETTER_E;
  return isFound ? end + NAMESPACE.length : -end;
}

function startsWith(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}
