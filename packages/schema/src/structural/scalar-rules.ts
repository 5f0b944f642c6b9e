import { fieldError } from '@orch/machinery';
import { approximateNumber, exactInteger, isInt64, jsonEquals } from '@orch/machinery/json';
import type { ValueRules } from '../structural-schema.ts';
import { formatTest } from './formats.ts';
import type { RuleWalk } from './rule-walk.ts';
import { valuePattern } from './value-pattern.ts';
import { isNearlyWhole, numberText } from './value-type.ts';

/** Reports the errors of a value that has the type of the rules. */
export type Check<T> = (value: T, walk: RuleWalk) => void;

/** The number of code points of a string; computed only when its UTF-16 length is inconclusive. */
const codePointCount = (text: string): number => {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // The second half of a pair belongs to the first.
    if (code >= 0xdc00 && code <= 0xdfff && i > 0) {
      const before = text.charCodeAt(i - 1);
      if (before >= 0xd800 && before <= 0xdbff) continue;
    }
    count++;
  }
  return count;
};

/** Length first, then the pattern: only the first violation is reported. */
export function stringCheck(rules: ValueRules): Check<string> | undefined {
  const { maxLength, minLength, pattern } = rules;
  if (maxLength === undefined && minLength === undefined && pattern === undefined) return undefined;
  const compiled = pattern === undefined ? undefined : valuePattern(pattern, rules);
  return (value, walk) => {
    if (maxLength !== undefined && value.length > maxLength && codePointCount(value) > maxLength) {
      walk.report(fieldError.tooManyCharacters(walk.field, maxLength));
    } else if (minLength !== undefined && codePointCount(value) < minLength) {
      walk.invalid(value, `should be at least ${minLength} chars long`);
    } else if (typeof compiled === 'string') {
      walk.invalid(value, `should match '${pattern}, but pattern is invalid: ${compiled}'`);
    } else if (compiled !== undefined && !compiled.matches(value, walk.budget)) {
      walk.invalid(value, `should match '${pattern}'`);
    }
  };
}

/** The format of a string, where it is one of those that have an effect. */
export function formatCheck({ format }: ValueRules): Check<string> | undefined {
  const accepts = format === undefined ? undefined : formatTest(format);
  if (format === undefined || accepts === undefined) return undefined;
  return (value, walk) => {
    if (accepts(value)) return;
    walk.wrongType(format, value);
  };
}

/** For compatibility, bounds on whole values are truncated. */
const wholeBound = (bound: number): bigint => BigInt(Number.isFinite(bound) ? Math.trunc(bound) : 0);

interface Limits {
  readonly above: (bound: number) => boolean;
  readonly below: (bound: number) => boolean;
  readonly equals: (bound: number) => boolean;
  readonly isMultiple: (factor: number) => boolean;
  readonly text: (bound: number) => string;
}

const limitsOfInteger = (value: bigint): Limits => ({
  above: (bound) => value > wholeBound(bound),
  below: (bound) => value < wholeBound(bound),
  equals: (bound) => value === wholeBound(bound),
  isMultiple: (factor) => value % wholeBound(factor) === 0n,
  text: (bound) => wholeBound(bound).toString(),
});

const limitsOfNumber = (value: number): Limits => ({
  above: (bound) => value > bound,
  below: (bound) => value < bound,
  equals: (bound) => value === bound,
  isMultiple: (factor) => isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor),
  text: numberText,
});

function checkMultiple(value: unknown, factor: number, limits: Limits, walk: RuleWalk): void {
  const factorText = limits.text(factor);
  if (Number(factorText) <= 0) {
    const { field, path } = walk;
    const problem = `factor MultipleOf declared for ${path} must be positive: ${factorText}`;
    walk.report(fieldError.invalid(field, Number(factorText), problem));
  } else if (!limits.isMultiple(factor)) {
    walk.invalid(value, `should be a multiple of ${factorText}`);
  }
}

/** Bounds of numbers. Whole numbers of 64 bits are compared exactly. */
export function numberCheck(rules: ValueRules): Check<unknown> | undefined {
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } = rules;
  if (maximum === undefined && minimum === undefined && multipleOf === undefined) return undefined;
  return (value, walk) => {
    const integer = isInt64(value) ? exactInteger(value) : undefined;
    const limits =
      integer === undefined ? limitsOfNumber(approximateNumber(value) ?? 0) : limitsOfInteger(integer);
    if (multipleOf !== undefined) checkMultiple(value, multipleOf, limits, walk);
    if (minimum !== undefined && (limits.below(minimum) || (exclusiveMinimum && limits.equals(minimum)))) {
      const bound = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      walk.invalid(value, `should be ${bound} ${limits.text(minimum)}`);
    }
    if (maximum !== undefined && (limits.above(maximum) || (exclusiveMaximum && limits.equals(maximum)))) {
      const bound = exclusiveMaximum ? 'less than' : 'less than or equal to';
      walk.invalid(value, `should be ${bound} ${limits.text(maximum)}`);
    }
  };
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The values that are allowed. Null is never one of them. */
export function enumCheck({ enum: allowed }: ValueRules): Check<unknown> | undefined {
  if (allowed === undefined) return undefined;
  const texts = new Set(allowed.filter((one) => typeof one === 'string'));
  return (value, walk) => {
    if (typeof value === 'string') {
      if (texts.has(value)) return;
    } else if (value !== null) {
      walk.budget.spend(allowed.length);
      if (allowed.some((one) => jsonEquals(one, value))) return;
    }
    walk.report(fieldError.notSupported(walk.field, value, allowed.map(shown)));
  };
}
