import {
  approximateNumber,
  type ExactNumber,
  exactInteger,
  isExactNumber,
  jsonText,
} from '@orch/machinery/json';
import { compareText } from './text-order.ts';

/** A possible identity of an item of a list: a JSON value that is neither an object nor a list. */
export type Scalar = string | number | boolean | null | ExactNumber;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value === null ||
  isExactNumber(value);

/** Strings that are written as they are between quotes: no escapes, none of the characters that the wire escapes. */
const plain = /^[\w\-./: =+,;@%~!*()[\]{}|#$^?`']*$/;

/** Text of a scalar inside a field path: its JSON encoding. */
export function scalarText(value: Scalar): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`;
  return typeof value === 'number' && Number.isInteger(value) && value !== 0 ? `${value}` : jsonText(value);
}

function kindRank(value: Scalar): number {
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return value === null ? 3 : 0;
}

function compareNumbers(a: Scalar, b: Scalar): number {
  const [x, y] = [approximateNumber(a) ?? 0, approximateNumber(b) ?? 0];
  if (x !== y) return x < y ? -1 : 1;
  const [m, n] = [exactInteger(a), exactInteger(b)];
  if (m === undefined || n === undefined || m === n) return 0;
  return m < n ? -1 : 1;
}

/** The order in which field sets list scalars: numbers, strings, booleans, null; each kind by value. */
export function compareScalars(a: Scalar, b: Scalar): number {
  const byKind = kindRank(a) - kindRank(b);
  if (byKind !== 0) return byKind;
  if (typeof a === 'string') return compareText(a, b as string);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  return a === null ? 0 : compareNumbers(a, b);
}
