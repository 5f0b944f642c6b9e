import { EvaluationError, overflow } from './evaluation-error.ts';
import { intOf, MAX_INT64, MAX_UINT64, MIN_INT64, Uint } from './value.ts';

type Int = number | bigint;

function checked(result: bigint): Int {
  if (result < MIN_INT64 || result > MAX_INT64) throw overflow('integer');
  return intOf(result);
}

export function addInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checked(BigInt(a) + BigInt(b));
}

export function subtractInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checked(BigInt(a) - BigInt(b));
}

export function multiplyInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checked(BigInt(a) * BigInt(b));
}

/** Truncates towards zero. */
export function divideInts(a: Int, b: Int): Int {
  if (b === 0) throw new EvaluationError('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return checked(BigInt(a) / BigInt(b));
}

/** The sign is that of the dividend. */
export function remainderOfInts(a: Int, b: Int): Int {
  if (b === 0) throw new EvaluationError('modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === MIN_INT64 && b === -1) throw overflow('integer');
  return intOf(BigInt(a) % BigInt(b));
}

export function negateInt(a: Int): Int {
  if (typeof a === 'number') return 0 - a;
  return checked(-a);
}

function checkedUint(result: bigint): Uint {
  if (result < 0n || result > MAX_UINT64) throw overflow('unsigned integer');
  return new Uint(result);
}

export const addUints = (a: Uint, b: Uint): Uint => checkedUint(a.value + b.value);
export const subtractUints = (a: Uint, b: Uint): Uint => checkedUint(a.value - b.value);
export const multiplyUints = (a: Uint, b: Uint): Uint => checkedUint(a.value * b.value);

export function divideUints(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw new EvaluationError('division by zero');
  return new Uint(a.value / b.value);
}

export function remainderOfUints(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw new EvaluationError('modulus by zero');
  return new Uint(a.value % b.value);
}
