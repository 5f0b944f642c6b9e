import { JsonSyntaxError } from './syntax-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const POINT = 0x2e;

/** A decimal of at most 15 digits is preserved by a double, unless its exponent is close to the limits of the range. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT = 290;

/**
 * One pass over a JSON text, well formed or not: checks the nesting depth, and returns whether a number token may need
 * its exact text (16 digits or more, or a huge exponent). Throws a JsonSyntaxError beyond `maxDepth`.
 */
export function mayHoldExactNumbers(text: string, maxDepth: number): boolean {
  const end = text.length;
  let depth = 0;
  let found = false;
  for (let i = 0; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = stringEnd(text, i);
    } else if (c >= 0x30 && c <= 0x39) {
      const start = i++;
      while (i < end && isMantissa(text.charCodeAt(i))) i++;
      if (i - start > EXACT_DIGITS || hugeExponent(text, i)) found = true;
      i--;
    } else if ((c | 0x20) === 0x7b) {
      // `{` and `[` differ in this bit only, and so do their partners.
      if (++depth > maxDepth)
        throw JsonSyntaxError.at(text, i, `nested more than ${maxDepth} levels deep`, 'limit');
    } else if ((c | 0x20) === 0x7d) depth--;
  }
  return found;
}

const isMantissa = (c: number): boolean => (c >= 0x30 && c <= 0x39) || c === POINT;

/** True when the text at `at` is an exponent that a double may not represent exactly. */
function hugeExponent(text: string, at: number): boolean {
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return false;
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
function stringEnd(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slash = i - 1;
    while (text.charCodeAt(slash) === BACKSLASH) slash--;
    // An even number of backslashes before the quote slash each other.
    if (((i - slash) & 1) === 1) return i;
  }
  return text.length;
}
