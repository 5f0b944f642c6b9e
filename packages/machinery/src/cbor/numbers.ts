import { type ExactNumber, jsonInteger, spelledNumber } from '../json/index.ts';
import { CborError } from './cbor-error.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** The value of an integer; the argument of a negative one is `-1 - value`. Integers beyond 64 signed bits are refused. */
export function integerOf(argument: number | bigint, isNegative: boolean, at: number): number | ExactNumber {
  if (typeof argument === 'number' && argument < Number.MAX_SAFE_INTEGER)
    return isNegative ? -1 - argument : argument;
  const magnitude = BigInt(argument);
  if (magnitude > MAX_INT64) throw new CborError('an integer does not fit 64 signed bits', at);
  return jsonInteger(isNegative ? -1n - magnitude : magnitude);
}

/** The value of a number with a fraction: integer fields refuse one whose spelling is kept, also if the fraction is zero. */
export function fractionOf(value: number, keepSpelling: boolean, at: number): number | ExactNumber {
  if (!Number.isFinite(value)) throw new CborError('a number must be finite', at);
  if (!keepSpelling || !Number.isInteger(value)) return value;
  const text = String(value);
  return spelledNumber(text.includes('e') ? text : `${text}.0`);
}

const EXPONENT_16 = 10;
const BIAS_16 = 15;

/** The value of a number of 16 bits. */
export function float16(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> EXPONENT_16) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** (1 - BIAS_16 - EXPONENT_16);
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 2 ** EXPONENT_16) * 2 ** (exponent - BIAS_16);
}

/** The bits of a number in 16 bits; undefined if they do not hold it. */
export function float16Bits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), 1 - BIAS_16);
  if (exponent > BIAS_16) return undefined;
  const units = magnitude * 2 ** (EXPONENT_16 - exponent);
  if (!Number.isInteger(units) || units >= 2 ** (EXPONENT_16 + 1)) return undefined;
  const isSubnormal = units < 2 ** EXPONENT_16;
  return sign | (isSubnormal ? units : ((exponent + BIAS_16) << EXPONENT_16) | (units & 0x3ff));
}
