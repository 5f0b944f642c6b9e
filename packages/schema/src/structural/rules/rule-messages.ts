import type { Outcome } from '@orch/cel';
import { type FieldError, fieldError } from '@orch/machinery';
import type { StructuralSchema, ValidationRule } from '../../structural-schema.ts';

const named = ({ message, rule }: ValidationRule): string => (message ?? rule).trim();

/** The message for an expression that returned no value. */
export function messageOf(outcome: Exclude<Outcome, { kind: 'value' }>, rule: ValidationRule): string {
  const { kind, message } = outcome;
  if (kind === 'limit')
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${named(rule)}`;
  return message.startsWith('no such overload')
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${named(rule)}`
    : `${message} evaluating rule: ${named(rule)}`;
}

/** A rule that does not hold, and for which value. */
export interface Violated {
  readonly declared: ValidationRule;
  readonly detail: string;
  readonly schema: StructuralSchema;
  readonly value: unknown;
}

/** The error of a rule that does not hold, of the type that the rule declares. Objects and lists are not repeated in it. */
export function violation(field: string, { declared, detail, schema, value }: Violated): FieldError {
  const isLarge = schema.type === 'object' || schema.type === 'array';
  switch (declared.reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(field, detail);
    case 'FieldValueRequired':
      return fieldError.required(field, detail);
    case 'FieldValueDuplicate':
      return isLarge
        ? { type: 'FieldValueDuplicate', field, message: 'Duplicate value' }
        : fieldError.duplicate(field, value);
    default:
      return isLarge
        ? { type: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` }
        : fieldError.invalid(field, value, detail);
  }
}
