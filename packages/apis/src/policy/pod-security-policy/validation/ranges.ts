import type { IDRangeV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import type { Check } from '@orch/schema';

const inOrder = (path: string, { min, max }: IDRangeV1beta1): readonly FieldError[] =>
  (approximateNumber(min) ?? 0) > (approximateNumber(max) ?? 0)
    ? [fieldError.invalid(`${path}.min`, min, 'min cannot be greater than max')]
    : [];

const notNegative = (path: string, value: unknown, what: string): readonly FieldError[] =>
  (approximateNumber(value) ?? 0) < 0 ? [fieldError.invalid(path, value, `${what} cannot be negative`)] : [];

/** Checks that identifiers are not negative, and that ranges are ordered. */
export const checkIdRange: Check<IDRangeV1beta1> = (range, { path }) => [
  ...notNegative(`${path}.min`, range.min, 'min'),
  ...notNegative(`${path}.max`, range.max, 'max'),
  ...inOrder(path, range),
];

/** Checks that the rule of a strategy is known. */
export const checkRule =
  (rules: readonly string[]): Check<{ readonly rule?: string }> =>
  ({ rule }, { path }) => {
    const text = rule ?? '';
    return rules.includes(text) ? [] : [fieldError.notSupported(`${path}.rule`, text, rules)];
  };
