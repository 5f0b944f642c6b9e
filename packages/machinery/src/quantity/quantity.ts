/** The format in which a quantity is written: `1Gi`, `1G`, `1e9`. */
export type QuantityFormat = 'binarySI' | 'decimalSI' | 'decimalExponent';

/** An exact amount: `mantissa × 10^exponent`. Immutable. */
export interface Quantity {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The text that was parsed, where it is in an accepted form and is therefore kept. */
  readonly text?: string;
}

/** A string that is not a quantity. */
export class QuantityError extends Error {
  constructor(text: string, problem: string) {
    const displayed = text.length > 64 ? `${text.slice(0, 64)}…` : text;
    super(`${JSON.stringify(displayed)} is not a quantity: ${problem}`);
    this.name = 'QuantityError';
  }
}

/** Maximum length of a string that is read; real amounts are much shorter. */
const MAX_LENGTH = 256;
/** Maximum decimal exponent, so that no string expands to gigabytes of digits. */
const MAX_EXPONENT = 1000;
const NANO = -9;
const MILLI = -3;
/** Number of decimal digits that always fit a signed 64-bit number: longer ones are not kept as text. */
const FAST_DIGITS = 18;
const MAX_BINARY = 2n ** 63n - 1n;

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalSuffixOf = new Map(Object.entries(decimalSuffixes).map(([suffix, power]) => [power, suffix]));
const binarySuffixOf = new Map(Object.entries(binarySuffixes).map(([suffix, power]) => [power, suffix]));

const grammar = /^([+-]?)([0-9]*)(?:(\.)([0-9]*))?([a-zA-Z]*)([+-]?[0-9]*)$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly power: number;
  readonly format: QuantityFormat;
}

function readSuffix(letters: string, digits: string): Suffix | undefined {
  if (digits === '') {
    if (Object.hasOwn(decimalSuffixes, letters)) {
      return { base: 10, power: decimalSuffixes[letters] ?? 0, format: 'decimalSI' };
    }
    if (Object.hasOwn(binarySuffixes, letters)) {
      return { base: 2, power: binarySuffixes[letters] ?? 0, format: 'binarySI' };
    }
    return undefined;
  }
  if ((letters !== 'e' && letters !== 'E') || !/[0-9]$/.test(digits)) return undefined;
  return { base: 10, power: Number(digits), format: 'decimalExponent' };
}

const smallPowers: readonly bigint[] = Array.from({ length: 28 }, (_, power) => 10n ** BigInt(power));
const pow10 = (power: number): bigint => smallPowers[power] ?? 10n ** BigInt(power);

/** Rounds away from zero to a multiple of 10^scale; the same object when it is one already. */
function roundUp(q: Quantity, scale: number): Quantity {
  if (q.exponent >= scale) return q;
  const unit = pow10(scale - q.exponent);
  const quotient = q.mantissa / unit;
  const rest = q.mantissa % unit;
  const mantissa = rest === 0n ? quotient : quotient + (rest > 0n ? 1n : -1n);
  return { mantissa, exponent: scale, format: q.format };
}

/**
 * True when the text is kept and not formatted again (the reference implementation keeps texts that look canonical).
 */
function keepsText(digits: string, hasFraction: boolean, exponent: number, suffix: Suffix): boolean {
  if (suffix.format === 'binarySI') {
    const precision = FAST_DIGITS - 4 - digits.length - Math.trunc((suffix.power * 3) / 10);
    return !hasFraction && precision >= 0 && (Number(digits) & 7) !== 0;
  }
  if (digits.length > FAST_DIGITS || exponent < NANO) return false;
  return exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function amount(negative: boolean, digits: string, fractionLength: number, suffix: Suffix): Quantity {
  const { format } = suffix;
  const magnitude = BigInt(digits) * (suffix.base === 2 ? 2n ** BigInt(suffix.power) : 1n);
  const exponent = (suffix.base === 10 ? suffix.power : 0) - fractionLength;
  const rounded = roundUp({ mantissa: magnitude, exponent, format }, NANO);
  const capped = format === 'binarySI' && compareAmounts(rounded, MAX_BINARY, 0) > 0;
  const value = capped ? { mantissa: MAX_BINARY, exponent: 0 } : rounded;
  const small = format === 'binarySI' && value.mantissa > 0n && compareAmounts(value, 1n, 0) < 0;
  return {
    mantissa: negative ? -value.mantissa : value.mantissa,
    exponent: value.exponent,
    format: small ? 'decimalSI' : format,
  };
}

/** The suffixes of usual amounts, by the text after the digits. */
const plainSuffixes: ReadonlyMap<string, Suffix> = new Map(
  ['m', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi'].map((text) => [text, readSuffix(text, '') as Suffix]),
);
/** Digits of usual amounts: with their suffix, they are exact as a number. */
const PLAIN_DIGITS = 6;

/** The fast path: reads usual amounts (`250m`, `2`, `128Mi`); undefined for all others. */
function parsePlain(text: string): Quantity | undefined {
  let value = 0;
  let at = 0;
  for (; at < PLAIN_DIGITS; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
  }
  if (at === 0 || text.charCodeAt(0) === 48) return undefined;
  const suffix = plainSuffixes.get(text.slice(at));
  if (suffix === undefined) return undefined;
  const { base, power, format } = suffix;
  const exponent = base === 10 ? power : 0;
  const mantissa = BigInt(base === 10 ? value : value * 2 ** power);
  return keepsText(text.slice(0, at), false, exponent, suffix)
    ? { mantissa, exponent, format, text }
    : { mantissa, exponent, format };
}

/** Zeros after the last other digit; 0 where there is none. */
function zerosAtEnd(digits: string): number {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === 0 ? 0 : digits.length - end;
}

/**
 * Reads a quantity: sign, digits with a fraction, and a suffix (`Ki`…`Ei`, `n`…`E`, or `e3`). Exact; beyond 10^-9 it
 * is rounded away from zero, and binary amounts are capped at 2^63-1. Throws a QuantityError.
 */
export function parseQuantity(input: string): Quantity {
  const plain = parsePlain(input);
  if (plain !== undefined) return plain;
  const text = input.trim();
  if (text === '') throw new QuantityError(input, 'it is empty');
  if (text.length > MAX_LENGTH) throw new QuantityError(text, `it is longer than ${MAX_LENGTH} characters`);
  const match = grammar.exec(text);
  if (match === null)
    throw new QuantityError(text, 'expected a number with an optional suffix, such as 100m, 1.5Gi or 1e3');
  const [, sign = '', whole = '', dot, fraction = '', letters = '', power = ''] = match;
  if (whole === '' && dot === undefined && letters === '') throw new QuantityError(text, 'it has no digits');
  const suffix = readSuffix(letters, power);
  if (suffix === undefined)
    throw new QuantityError(text, `unknown suffix ${JSON.stringify(letters + power)}`);
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  // The canonical form has the zeros at the end of the digits in its exponent, and must be a quantity too.
  if (suffix.power + zerosAtEnd(digits) > MAX_EXPONENT || suffix.power < -MAX_EXPONENT) {
    throw new QuantityError(text, `its exponent is beyond ${MAX_EXPONENT}`);
  }
  const value = amount(sign === '-', digits, fraction.length, suffix);
  const exponent = suffix.format === 'binarySI' ? -fraction.length : suffix.power - fraction.length;
  return keepsText(digits, fraction !== '', exponent, suffix) ? { ...value, text } : value;
}

function compareAmounts(
  a: { mantissa: bigint; exponent: number },
  mantissa: bigint,
  exponent: number,
): number {
  const common = Math.min(a.exponent, exponent);
  const left = a.mantissa * pow10(a.exponent - common);
  const right = mantissa * pow10(exponent - common);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`; formats do not matter. */
export const compareQuantities = (a: Quantity, b: Quantity): number =>
  compareAmounts(a, b.mantissa, b.exponent);

/** The exact sum, in the format of `a` (of `b` when `a` is zero). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  const mantissa = a.mantissa * pow10(a.exponent - exponent) + b.mantissa * pow10(b.exponent - exponent);
  return { mantissa, exponent, format: a.mantissa === 0n ? b.format : a.format };
}

const negateQuantity = (q: Quantity): Quantity => ({
  mantissa: -q.mantissa,
  exponent: q.exponent,
  format: q.format,
});

/** The exact difference, in the format of `a` (of `b` when `a` is zero). */
export const subtractQuantities = (a: Quantity, b: Quantity): Quantity => addQuantities(a, negateQuantity(b));

/** -1, 0 or 1. */
export const quantitySign = (q: Quantity): -1 | 0 | 1 => (q.mantissa > 0n ? 1 : q.mantissa < 0n ? -1 : 0);

/** Rounds away from zero to thousandths, as amounts in resource lists are on input. Keeps the text when nothing changes. */
export const roundUpToMilli = (q: Quantity): Quantity => {
  if (q.exponent >= MILLI) return q;
  // Values with a scale below milli lose their format even when the value is unchanged.
  return roundUp(q, MILLI);
};

/** The amount as a whole number of units, rounded away from zero. */
export const quantityInteger = (q: Quantity): bigint => {
  const rounded = roundUp(q, 0);
  return rounded.mantissa * pow10(rounded.exponent);
};

/** True when the amount has no fraction. */
export const isWholeQuantity = (q: Quantity): boolean =>
  q.exponent >= 0 || q.mantissa % pow10(-q.exponent) === 0n;

/** The nearest double. */
export const quantityNumber = (q: Quantity): number => Number(`${q.mantissa}e${q.exponent}`);

function formatDecimal(q: Quantity, format: QuantityFormat): string {
  let { mantissa, exponent } = q;
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    mantissa *= 10n;
    exponent--;
  }
  if (format === 'decimalExponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  // Beyond exa the reference implementation omits the suffix; the output is the same here.
  return `${mantissa}${decimalSuffixOf.get(exponent) ?? ''}`;
}

function formatBinary(value: bigint): string {
  let mantissa = value;
  let power = 0;
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power += 10;
  }
  return `${mantissa}${binarySuffixOf.get(power) ?? ''}`;
}

/** The kept text, or the canonical form: integer mantissa, largest suffix without loss, format preserved. */
export function formatQuantity(q: Quantity): string {
  if (q.mantissa === 0n) return q.text ?? '0';
  if (q.text !== undefined) return q.text;
  if (q.format !== 'binarySI') return formatDecimal(q, q.format);
  const small = compareAmounts(q, -1024n, 0) > 0 && compareAmounts(q, 1024n, 0) < 0;
  if (small || !isWholeQuantity(q)) return formatDecimal(q, 'decimalSI');
  return formatBinary(quantityInteger(q));
}

/** The stored form of a quantity that a client wrote. Throws a QuantityError. */
export const canonicalQuantity = (text: string): string => formatQuantity(parseQuantity(text));

/** As `canonicalQuantity`, for the values of resource lists: rounded up to thousandths first. */
export const canonicalResourceQuantity = (text: string): string =>
  formatQuantity(roundUpToMilli(parseQuantity(text)));
