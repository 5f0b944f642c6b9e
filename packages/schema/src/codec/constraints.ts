import { approximateNumber, fieldError, isExactNumber, validateFormat } from '@orch/machinery';
import type { Constraints, Schema } from '../schema.ts';
import type { ValidationWalk } from './validation-walk.ts';

/** Reports everything that is wrong with one present value, at the place where the walk stands. */
export type ValueRule = (value: unknown, walk: ValidationWalk) => void;

/** Whether a member counts as missing for `required`. */
export function isMissing(value: unknown, zeroIsPresent: boolean): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (value === 0) return !zeroIsPresent;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && !isExactNumber(value) && Object.keys(value).length === 0;
}

function rangeText({ min, max }: Constraints): string {
  if (min === undefined) return `must be less than or equal to ${max}`;
  return max === undefined
    ? `must be greater than or equal to ${min}`
    : `must be between ${min} and ${max}, inclusive`;
}

function rangeRule(constraints: Constraints): ValueRule {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = constraints;
  return (value, walk) => {
    // Rounding cannot take a number of more than 2^53 across a bound, which is a small one.
    const number = approximateNumber(value);
    if (number === undefined || (number >= min && number <= max)) return;
    walk.report(fieldError.invalid(walk.path, value, rangeText(constraints)));
  };
}

function enumRule(allowed: readonly string[]): ValueRule {
  const known = new Set<unknown>(allowed);
  return (value, walk) => {
    if (!known.has(value)) walk.report(fieldError.notSupported(walk.path, value, [...allowed].sort()));
  };
}

const formatRule =
  (format: string): ValueRule =>
  (value, walk) => {
    const wrong = validateFormat(format, value);
    if (wrong !== undefined) walk.report(fieldError.invalid(walk.path, value, wrong));
  };

function lengthRule(maxBytes: number, schema: Schema): ValueRule {
  const encoding = schema.kind === 'scalar' && schema.type === 'bytes' ? 'base64' : 'utf8';
  return (value, walk) => {
    if (typeof value === 'string' && Buffer.byteLength(value, encoding) > maxBytes) {
      walk.report(fieldError.tooLong(walk.path, maxBytes));
    }
  };
}

/** The rules of one scalar, in the order in which their errors are reported; undefined when there are none. */
export function scalarRule(constraints: Constraints, schema: Schema): ValueRule | undefined {
  const rules: ValueRule[] = [];
  if (constraints.enum !== undefined) rules.push(enumRule(constraints.enum));
  if (constraints.format !== undefined) rules.push(formatRule(constraints.format));
  if (constraints.min !== undefined || constraints.max !== undefined) rules.push(rangeRule(constraints));
  if (constraints.maxBytes !== undefined) rules.push(lengthRule(constraints.maxBytes, schema));
  if (rules.length === 0) return undefined;
  return (value, walk) => {
    if (value === '') return;
    for (const rule of rules) rule(value, walk);
  };
}

/** The rules about how many items a list or map has. */
export function countRule({
  minItems = 0,
  maxItems = Number.POSITIVE_INFINITY,
}: Constraints): ValueRule | undefined {
  if (minItems === 0 && maxItems === Number.POSITIVE_INFINITY) return undefined;
  return (value, walk) => {
    const count = Array.isArray(value) ? value.length : Object.keys(value as object).length;
    if (count < minItems) {
      const expected = `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`;
      walk.report(fieldError.invalid(walk.path, count, expected));
    } else if (count > maxItems) walk.report(fieldError.tooMany(walk.path, count, maxItems));
  };
}
