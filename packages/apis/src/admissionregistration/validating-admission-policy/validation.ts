import { types } from '@orch/cel';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { qualifiedName } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import { checkInPieces } from '../../validation-rules.ts';
import { checkConstraints } from '../shared/policy/check-match.ts';
import { ExpressionCheck, type ExpressionKind } from '../shared/policy/expression-check.ts';

const lineBreak = /[\r\n]/;

/** Checks that messages have one line, and that an expression of several lines has a message. */
export const checkValidation: Check<Validation> = (validation, { path }) => {
  const errors: FieldError[] = [];
  const { expression = '', message = '', messageExpression = '' } = validation;
  if (expression !== '' && expression.trim() === '')
    errors.push(fieldError.required(`${path}.expression`, 'expression is not specified'));
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'must be non-empty if specified';
    errors.push(fieldError.invalid(`${path}.messageExpression`, messageExpression, why));
  }
  if (message !== '' && message.trim() === '') {
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (lineBreak.test(message.trim())) {
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must not contain line breaks'));
  } else if (message === '' && lineBreak.test(expression.trim())) {
    const why = 'message must be specified if expression contains line breaks';
    errors.push(fieldError.required(`${path}.message`, why));
  }
  return errors;
};

/** The key is the second part of a qualified name whose first part is the name of the policy. */
export const checkAuditAnnotation: Check<AuditAnnotation> = ({ key, valueExpression }, { path, root }) => {
  const errors: FieldError[] = [];
  const { metadata }: Partial<ValidatingAdmissionPolicy> = root;
  const name = metadata?.name ?? '';
  const wrong = name === '' ? 'requires metadata.name be non-empty' : qualifiedName(`${name}/${key ?? ''}`);
  if (wrong !== undefined) errors.push(fieldError.invalid(`${path}.key`, key, wrong));
  if ((valueExpression ?? '') !== '' && (valueExpression ?? '').trim() === '')
    errors.push(fieldError.required(`${path}.valueExpression`, 'valueExpression is not specified'));
  return errors;
};

/**
 * Checks that a policy with match constraints has resource rules, and has at least one validation or audit annotation.
 */
export const checkPolicySpec: Check<ValidatingAdmissionPolicySpec> = (spec, { path, old, ...context }) => {
  const errors: FieldError[] = [...checkConstraints(`${path}.matchConstraints`, spec.matchConstraints)];
  if ((spec.validations ?? []).length + (spec.auditAnnotations ?? []).length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item';
    errors.push(
      ...['validations', 'auditAnnotations'].map((each) => fieldError.required(`${path}.${each}`, why)),
    );
  }
  if (!jsonEquals(spec, old)) errors.push(...checkInPieces(checkingExpressions(spec, path), context));
  return errors;
};

function* checkingExpressions(
  spec: ValidatingAdmissionPolicySpec,
  path: string,
): Work<readonly FieldError[]> {
  const check = new ExpressionCheck({ hasParams: spec.paramKind !== undefined, hasNamespace: true });
  const errors = [
    ...(yield* check.variables(`${path}.variables`, spec.variables)),
    ...(yield* check.matchConditions(`${path}.matchConditions`, spec.matchConditions)),
  ];
  for (const [i, validation] of (spec.validations ?? []).entries()) {
    errors.push(...checkRuleExpressions(check, validation, `${path}.validations[${i}]`));
    yield;
  }
  for (const [i, { valueExpression = '' }] of (spec.auditAnnotations ?? []).entries()) {
    const at = `${path}.auditAnnotations[${i}].valueExpression`;
    errors.push(...check.expression(at, valueExpression, annotationsOf(check)));
    yield;
  }
  return errors;
}

const annotationsOf = (check: ExpressionCheck): ExpressionKind => ({
  environment: check.conditions,
  results: [types.string, types.nullType],
});

const checkRuleExpressions = (
  check: ExpressionCheck,
  { expression = '', messageExpression = '' }: Validation,
  path: string,
): readonly FieldError[] => [
  ...check.expression(`${path}.expression`, expression, {
    environment: check.conditions,
    results: [types.bool],
  }),
  ...check.expression(`${path}.messageExpression`, messageExpression, {
    environment: check.messages,
    results: [types.string],
  }),
];
