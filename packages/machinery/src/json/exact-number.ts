import { type RawNumber, rawJson } from './raw-json.ts';

/**
 * Numbers that a double cannot hold keep their text: they are `JSON.rawJSON` values, which `JSON.stringify` writes
 * unchanged. They are frozen objects, so code that reads a number must use these functions.
 */
export type ExactNumber = RawNumber;

/** True for a number kept as text. */
export const isExactNumber = (value: unknown): value is ExactNumber =>
  typeof value === 'object' && value !== null && rawJson.isRawJSON(value);

/** Decimal text of a JSON number in either form; undefined for anything else. */
export function exactNumberText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return isExactNumber(value) ? value.rawJSON : undefined;
}

/**
 * A decimal number without redundant zeros: `digits × 10^exponent`, so that equal numbers have equal forms. Exponents
 * that a double cannot hold exactly do not occur in strings of realistic length; they are compared as text.
 */
function normalForm(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all.charCodeAt(start) === 48) start++;
  if (start === end) return '0';
  while (all.charCodeAt(end - 1) === 48) end--;
  return `${sign}${all.slice(start, end)}e${Number(exponent) - fraction.length + (all.length - end)}`;
}

/**
 * The value of a JSON number token: a plain number when that prints as the same decimal value again, else the exact
 * form. `text` must be a valid JSON number.
 */
export function numberFromText(text: string): number | ExactNumber {
  const value = Number(text);
  if (Number.isSafeInteger(value) && /^-?\d{1,15}$/.test(text)) return value;
  if (Number.isFinite(value) && normalForm(String(value)) === normalForm(text)) return value;
  return rawJson.rawJSON(text);
}

/** As `numberFromText`, but a whole number with a fraction or an exponent (`5.0`, `1e2`) keeps its text. */
export function spelledNumber(text: string): number | ExactNumber {
  return /[.eE]/.test(text) && Number.isInteger(Number(text)) ? rawJson.rawJSON(text) : numberFromText(text);
}

/** Maximum number of digits that an integer is expanded to: in JSON, `1e999999999` takes a dozen bytes. */
const MAX_WHOLE_DIGITS = 400;

/**
 * A JSON number of either form as a bigint; undefined when it is not an integer, not a number, or longer than some
 * hundred digits.
 */
export function exactInteger(value: unknown): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  const text = exactNumberText(value);
  if (text === undefined || text.length > MAX_WHOLE_DIGITS) return undefined;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  // A double represents the decimal that it prints, since that was parsed: 1e30, not its binary neighbour.
  const normal = normalForm(text);
  if (normal === '0') return 0n;
  const match = /^(-?\d+)e(-?\d+)$/.exec(normal);
  if (match === null) return undefined;
  const exponent = Number(match[2]);
  if (exponent < 0 || exponent > MAX_WHOLE_DIGITS) return undefined;
  return BigInt(match[1] ?? '0') * 10n ** BigInt(exponent);
}

/** As `exactInteger`, for fields of a declared integer type: exact numbers must have neither a fraction nor an exponent. */
export function declaredInteger(value: unknown): bigint | undefined {
  return isExactNumber(value) && !/^-?\d+$/.test(value.rawJSON) ? undefined : exactInteger(value);
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** True for a whole JSON number of either form that fits 64 signed bits. */
export function isInt64(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || inInt64(exactInteger(value));
  return inInt64(exactInteger(value));
}

const inInt64 = (value: bigint | undefined): boolean =>
  value !== undefined && value >= MIN_INT64 && value <= MAX_INT64;

/** The JSON value of a bigint: a plain number where that is exact. */
export const jsonInteger = (value: bigint): number | ExactNumber => numberFromText(value.toString());

/** Nearest double of a JSON number of either form; undefined for anything else. */
export function approximateNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return isExactNumber(value) ? Number(value.rawJSON) : undefined;
}
