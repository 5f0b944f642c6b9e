import { approximateNumber, exactNumberText, isExactNumber, isInt64 } from '@orch/machinery/json';

/** Maximum relative distance at which a fraction counts as an integer: decimal fractions are rounded in binary. */
const EPSILON = 1e-9;

/**
 * Type of a JSON value, as messages call it. Numbers are integers when they are whole and fit 64 bits; those that a double
 * cannot hold must also be written without a fraction and an exponent, since other clients could not read them.
 */
export function jsonTypeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) || isInt64(value) ? 'integer' : 'number';
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      if (approximateNumber(value) === undefined) return 'object';
      return isInt64(value) && /^-?\d+$/.test(exactNumberText(value) ?? '') ? 'integer' : 'number';
  }
}

/** Reports whether a JSON number is a double that is an integer, except for the rounding of binary fractions. */
export function isNearlyWhole(value: unknown): boolean {
  const number = isExactNumber(value) ? Number.NaN : (approximateNumber(value) ?? Number.NaN);
  if (!Number.isFinite(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(number);
  if (number === whole) return true;
  if (whole === 0) return false;
  return Math.abs(number - whole) / (Math.abs(number) + Math.abs(whole)) < EPSILON;
}

/** A double as messages show it. */
export function numberText(number: number): string {
  const magnitude = Math.abs(number);
  const text =
    magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6) ? number.toExponential() : String(number);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
