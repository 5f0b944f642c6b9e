import { formatTest } from './formats.ts';
import type { StructuralSchema, ValueRules } from './structural-schema.ts';

/**
 * Looks at a scalar without reporting anything: the number of rules that it satisfies, or -1 when it has to be validated in
 * full, since it may violate one.
 */
export type QuickTest = (value: unknown) => number;

const none: ValueRules = {};

/** Rules that are only looked at in full. */
const isPlain = ({
  allOf,
  anyOf,
  enum: allowed,
  format,
  multipleOf,
  not,
  oneOf,
  pattern,
}: ValueRules): boolean =>
  [allOf, anyOf, allowed, multipleOf, not, oneOf, pattern].every((rule) => rule === undefined) &&
  (format === undefined || formatTest(format) === undefined);

function quickString({ maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: ValueRules): QuickTest {
  // A code point has one or two units of UTF-16.
  const least = minLength * 2;
  return (value) =>
    typeof value === 'string' && value.length <= maxLength && value.length >= least ? 7 : -1;
}

/** Bounds of whole numbers lose their fraction, as in the full validation. */
const whole = (bound: number): number => (Number.isFinite(bound) ? Math.trunc(bound) : 0);

function quickInteger({ exclusiveMaximum, exclusiveMinimum, maximum, minimum }: ValueRules): QuickTest {
  const most = maximum === undefined ? Number.MAX_SAFE_INTEGER : whole(maximum) - (exclusiveMaximum ? 1 : 0);
  const least = minimum === undefined ? Number.MIN_SAFE_INTEGER : whole(minimum) + (exclusiveMinimum ? 1 : 0);
  return (value) =>
    Number.isSafeInteger(value) && (value as number) <= most && (value as number) >= least ? 8 : -1;
}

/** The quick test of values of a schema; undefined where every value has to be validated in full. */
export function quickTest({ isIntOrString, rules = none, type }: StructuralSchema): QuickTest | undefined {
  if (isIntOrString === true || !isPlain(rules)) return undefined;
  switch (type) {
    case 'string':
      return quickString(rules);
    case 'integer':
    case 'number':
      return quickInteger(rules);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? 6 : -1);
    default:
      return undefined;
  }
}
