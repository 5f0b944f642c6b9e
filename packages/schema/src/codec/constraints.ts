import { fieldError } from '@orch/machinery';
import { formats, isFormatName } from '@orch/machinery/formats';
import { approximateNumber, isExactNumber } from '@orch/machinery/json';
import type { Constraints, Schema } from '../schema.ts';
import type { ValidationWalk } from '../walk/validation-walk.ts';

/** A rule for one present value. */
export interface ValueRule {
  /** Reports whether the value is valid, as most are; needs no path. */
  holds(value: unknown): boolean;
  /** Reports every violation, at the current path of the walk. */
  report(value: unknown, walk: ValidationWalk): void;
}

/** Reports whether a field counts as missing for `required`. With `zeroIsPresent`, neither 0 nor an empty struct is missing. */
export function isMissing(value: unknown, zeroIsPresent: boolean): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value === 0 || zeroIsPresent) return !zeroIsPresent;
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
  return {
    holds(value) {
      // Rounding cannot take a number of more than 2^53 across a bound, which is a small one.
      const number = approximateNumber(value);
      return number === undefined || (number >= min && number <= max);
    },
    report: (value, walk) => walk.report(fieldError.invalid(walk.path, value, rangeText(constraints))),
  };
}

function enumRule(allowed: readonly string[]): ValueRule {
  const known = new Set<unknown>(allowed);
  return {
    holds: (value) => known.has(value),
    report: (value, walk) => walk.report(fieldError.notSupported(walk.path, value, [...allowed].sort())),
  };
}

/** The rule of the format alone, which holds for an empty string as for any other. */
export function formatRule(format: string): ValueRule {
  if (!isFormatName(format)) throw new TypeError(`unknown format ${JSON.stringify(format)}`);
  const problemOf = formats[format];
  return {
    holds: (value) => problemOf(value) === undefined,
    report(value, walk) {
      const wrong = problemOf(value);
      if (wrong !== undefined) walk.report(fieldError.invalid(walk.path, value, wrong));
    },
  };
}

function lengthRule(maxBytes: number, schema: Schema): ValueRule {
  const encoding = schema.kind === 'scalar' && schema.type === 'bytes' ? 'base64' : 'utf8';
  // No character takes more than three bytes for each of its UTF-16 units, and base64 is longer than the bytes that it encodes.
  const surely = encoding === 'base64' ? maxBytes : Math.floor(maxBytes / 3);
  return {
    holds: (value) =>
      typeof value !== 'string' || value.length <= surely || Buffer.byteLength(value, encoding) <= maxBytes,
    report: (_value, walk) => walk.report(fieldError.tooLong(walk.path, maxBytes)),
  };
}

/** The rules of one scalar, in the order in which their errors are reported; undefined when there are none. */
export function scalarRule(constraints: Constraints, schema: Schema): ValueRule | undefined {
  const rules: ValueRule[] = [];
  if (constraints.enum !== undefined && constraints.enumChecked === undefined)
    rules.push(enumRule(constraints.enum));
  if (constraints.format !== undefined) rules.push(formatRule(constraints.format));
  if (constraints.min !== undefined || constraints.max !== undefined) rules.push(rangeRule(constraints));
  if (constraints.maxBytes !== undefined) rules.push(lengthRule(constraints.maxBytes, schema));
  const [first, ...others] = rules;
  if (first === undefined) return undefined;
  const checksEmpty = constraints.emptyIsInvalid === true && constraints.required !== true;
  const isExempt = (value: unknown): boolean => value === '' && !checksEmpty;
  return {
    holds:
      others.length === 0
        ? (value) => isExempt(value) || first.holds(value)
        : (value) => isExempt(value) || rules.every((rule) => rule.holds(value)),
    report(value, walk) {
      for (const rule of rules) if (!rule.holds(value)) rule.report(value, walk);
    },
  };
}

/** The rules about the number of items of a list or map. */
export function countRule({
  minItems = 0,
  maxItems = Number.POSITIVE_INFINITY,
}: Constraints): ValueRule | undefined {
  if (minItems === 0 && maxItems === Number.POSITIVE_INFINITY) return undefined;
  const countOf = (value: unknown): number =>
    Array.isArray(value) ? value.length : Object.keys(value as object).length;
  return {
    holds(value) {
      const count = countOf(value);
      return count >= minItems && count <= maxItems;
    },
    report(value, walk) {
      const count = countOf(value);
      if (count > maxItems) {
        walk.report(fieldError.tooMany(walk.path, count, maxItems));
        return;
      }
      const expected = `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`;
      walk.report(fieldError.invalid(walk.path, count, expected));
    },
  };
}
