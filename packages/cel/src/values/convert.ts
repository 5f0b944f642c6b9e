import { formatDouble } from './double-text.ts';
import { EvaluationError, overflow } from './evaluation-error.ts';
import { formatSeconds, formatTimestamp, readDuration, readTimestamp, timestampOf } from './time.ts';
import {
  Double,
  Duration,
  intOf,
  isInt,
  MAX_INT64,
  MAX_UINT64,
  MIN_INT64,
  Timestamp,
  Uint,
  type Value,
} from './value.ts';

type Int = number | bigint;

const conversion = (text: string, type: string): EvaluationError =>
  new EvaluationError(`type conversion error: cannot convert '${text.slice(0, 100)}' to ${type}`);

export function toInt(value: Int | Uint | Double | string | Timestamp | Duration): Int {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return intOf(value.nanos);
  if (value instanceof Double) {
    // The bounds themselves are refused: a double near them represents more than one int.
    if (!(value.value > -(2 ** 63) && value.value < 2 ** 63)) throw overflow('integer');
    return intOf(BigInt(Math.trunc(value.value)));
  }
  if (typeof value === 'string' && !/^[+-]?\d{1,30}$/.test(value)) throw conversion(value, 'int');
  const number = typeof value === 'string' ? BigInt(value.replace(/^\+/, '')) : value.value;
  if (number < MIN_INT64 || number > MAX_INT64) throw overflow('integer');
  return intOf(number);
}

export function toUint(value: Int | Uint | Double | string): Uint {
  if (value instanceof Uint) return value;
  if (value instanceof Double) {
    if (!(value.value >= 0 && value.value < 2 ** 64)) throw overflow('unsigned integer');
    return new Uint(BigInt(Math.trunc(value.value)));
  }
  if (typeof value === 'string' && !/^\d{1,30}$/.test(value)) throw conversion(value, 'uint');
  const number = BigInt(value);
  if (number < 0n || number > MAX_UINT64) throw overflow('unsigned integer');
  return new Uint(number);
}

/** Without two ways to read the same digits: a string that does not match is read once. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function toDouble(value: Int | Uint | Double | string): Double {
  if (value instanceof Double) return value;
  if (typeof value !== 'string') return new Double(Number(value instanceof Uint ? value.value : value));
  if (decimal.test(value)) return new Double(Number(value));
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (named === null) throw conversion(value, 'double');
  if (named[2]?.toLowerCase() === 'nan') return new Double(Number.NaN);
  return new Double(named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
}

const truths: Readonly<Record<string, boolean>> = {
  1: true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  0: false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

export function toBool(value: boolean | string): boolean {
  if (typeof value === 'boolean') return value;
  const result = Object.hasOwn(truths, value) ? truths[value] : undefined;
  if (result === undefined) throw conversion(value, 'bool');
  return result;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return formatDouble(value.value, 6);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatSeconds(value);
  if (!(value instanceof Uint8Array)) throw conversion(typeof value, 'string');
  try {
    return utf8.decode(value);
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

export const toBytes = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : value;

export function toTimestamp(value: string | Int | Timestamp): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value !== 'string') return timestampOf(Number(value), 0);
  const result = readTimestamp(value);
  if (result === undefined) throw conversion(value, 'timestamp');
  return result;
}

export function toDuration(value: string | Int | Duration): Duration {
  if (value instanceof Duration) return value;
  if (typeof value !== 'string') return new Duration(BigInt(value));
  const result = readDuration(value);
  if (result === undefined) throw conversion(value, 'duration');
  return result;
}
