import { Double, Duration, isInt, Timestamp, Uint, type Value } from './value.ts';

/** Orders texts by code points; the platform's `<` orders by UTF-16 units, in which surrogates are ordered too low. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) {
      if (x >= 0xd800 && y >= 0xd800) return codePointRank(x) - codePointRank(y);
      return x - y;
    }
  }
  return a.length - b.length;
}

/** Surrogates encode code points above all others. */
const codePointRank = (unit: number): number => (unit <= 0xdfff ? unit + 0x10000 : unit);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const orderOf = <T extends number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The value of an int, uint or double; undefined for other types. */
export function numericValue(value: Value): number | bigint | undefined {
  if (isInt(value)) return value;
  if (value instanceof Uint) return value.value;
  return value instanceof Double ? value.value : undefined;
}

/**
 * The order of two values: negative, zero or positive; NaN when neither is less (a double is not a number); undefined when
 * their types have no order between them. An int or uint and a double compare as doubles, as in the reference: ints
 * beyond 2^53 may equal a double next to them.
 */
export function compareValues(a: Value, b: Value): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string') return typeof b === 'string' ? compareTexts(a, b) : undefined;
  if (numericValue(a) !== undefined) return compareNumbers(a, b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  if (a instanceof Duration) return b instanceof Duration ? orderOf(a.nanos, b.nanos) : undefined;
  if (!(a instanceof Timestamp) || !(b instanceof Timestamp)) return undefined;
  return orderOf(a.seconds, b.seconds) || orderOf(a.nanos, b.nanos);
}

export function compareNumbers(a: Value, b: Value): number | undefined {
  const [x, y] = [numericValue(a), numericValue(b)];
  if (x === undefined || y === undefined) return undefined;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (a instanceof Double || b instanceof Double) return orderOf(Number(x), Number(y));
  // The platform compares a bigint and a number by their exact values.
  return x < y ? -1 : x > y ? 1 : 0;
}
