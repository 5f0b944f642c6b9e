import { isExactNumber } from './exact-number.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { WIDE } from './width.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const POINT = 0x2e;
const COLON = 0x3a;

/** A decimal of at most 15 digits is preserved by a double, unless its exponent is close to the limits of the range. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT = 290;

/** Rare contents of a string, as flags. */
export const EXACT_NUMBERS = 1;
export const WIDE_OBJECTS = 2;
export const SPELLED_INTEGERS = 4;

/**
 * One pass over a JSON text, well formed or not: checks the nesting depth, and returns whether a number token may need
 * its exact text (16 digits or more, or a huge exponent; `EXACT_NUMBERS`), whether a number that may be whole has a
 * fraction or an exponent (`SPELLED_INTEGERS`), and whether an object has many fields (`WIDE_OBJECTS`). Throws a JsonSyntaxError beyond `maxDepth`.
 */
export function scanJson(text: string, maxDepth: number): number {
  const end = text.length;
  let depth = 0;
  let found = 0;
  /** Fields of the object, and of those around it. */
  let fields = 0;
  const outer: number[] = [];
  for (let i = 0; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = stringEnd(text, i);
    } else if (c >= 0x30 && c <= 0x39) {
      const start = i++;
      while (i < end && isMantissa(text.charCodeAt(i))) i++;
      if (i - start > EXACT_DIGITS) found |= EXACT_NUMBERS;
      found |= traitsOfNumber(text, i);
      i--;
    } else if ((c | 0x20) === 0x7b) {
      // `{` and `[` differ in this bit only, and so do their partners.
      if (++depth > maxDepth)
        throw JsonSyntaxError.at(text, i, `nested more than ${maxDepth} levels deep`, 'limit');
      outer.push(fields);
      fields = 0;
    } else if ((c | 0x20) === 0x7d) {
      depth--;
      fields = outer.pop() ?? 0;
    } else if (c === COLON && ++fields === WIDE) found |= WIDE_OBJECTS;
  }
  return found;
}

const isMantissa = (c: number): boolean => (c >= 0x30 && c <= 0x39) || c === POINT;

/** Properties of a number whose digits end before `end`. */
function traitsOfNumber(text: string, end: number): number {
  if ((text.charCodeAt(end) | 0x20) === 0x65)
    return hugeExponent(text, end) ? SPELLED_INTEGERS | EXACT_NUMBERS : SPELLED_INTEGERS;
  let last = end - 1;
  while (text.charCodeAt(last) === 0x30) last--;
  return last < end - 1 && text.charCodeAt(last) === POINT ? SPELLED_INTEGERS : 0;
}

/** True when the text at `at` is an exponent that a double may not represent exactly. */
function hugeExponent(text: string, at: number): boolean {
  const sign = text.charCodeAt(at + 1);
  let exponent = 0;
  for (let i = at + (sign === 0x2b || sign === 0x2d ? 2 : 1); exponent <= EXACT_EXPONENT; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return false;
    exponent = exponent * 10 + digit;
  }
  return true;
}

/** Position of the quote that ends the string starting at `start`, or the last position of an unfinished text. */
export function stringEnd(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slash = i - 1;
    while (text.charCodeAt(slash) === BACKSLASH) slash--;
    // An even number of backslashes before the quote slash each other.
    if (((i - slash) & 1) === 1) return i;
  }
  return text.length;
}

/**
 * Reports whether an object in a JSON text has two fields with the same name: the text then has more names than its value. This is
 * several times faster than a walk that finds the fields.
 */
export const hasRepeatedFields = (text: string, value: unknown): boolean => namesIn(text) !== fieldsIn(value);

/** The names of fields in a JSON text. */
export function namesIn(text: string): number {
  let names = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = stringEnd(text, i);
    else if (c === COLON) names += 1;
  }
  return names;
}

/** The fields of all objects in a JSON value. */
export function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return 0;
  let fields = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') fields += fieldsIn(item);
    return fields;
  }
  for (const name in value) {
    const below = (value as Readonly<Record<string, unknown>>)[name];
    fields += typeof below === 'object' ? 1 + fieldsIn(below) : 1;
  }
  return fields;
}
