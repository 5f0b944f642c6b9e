import { dns1035label, type FieldError, fieldError, qualifiedName } from '@orch/machinery';
import type { Check } from '@orch/schema';
import type {
  AuditAnnotationV1alpha1,
  ParamKindV1alpha1,
  ValidatingAdmissionPolicySpecV1alpha1,
  ValidatingAdmissionPolicyV1alpha1,
  ValidationV1alpha1,
} from '../../types/admissionregistration.ts';
import { checkMatch } from '../shared/validation/policy.ts';

const lineBreak = /[\r\n]/;

/** Messages and expressions of one line, or a message that describes an expression of several lines. */
export const checkExpression: Check<ValidationV1alpha1> = (validation, { path }) => {
  const errors: FieldError[] = [];
  const expression = validation.expression ?? '';
  const message = validation.message ?? '';
  if (expression !== '' && expression.trim() === '')
    errors.push(fieldError.required(`${path}.expression`, 'expression is not specified'));
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
export const checkAuditAnnotation: Check<AuditAnnotationV1alpha1> = (
  { key, valueExpression },
  { path, root },
) => {
  const errors: FieldError[] = [];
  const { metadata }: Partial<ValidatingAdmissionPolicyV1alpha1> = root;
  const name = metadata?.name ?? '';
  const qualified = `${name === '' ? '' : `${name}/`}${key ?? ''}`;
  const wrong = (key ?? '') === '' ? undefined : qualifiedName(qualified);
  if (wrong !== undefined) errors.push(fieldError.invalid(`${path}.key`, key, wrong));
  if ((valueExpression ?? '') !== '' && (valueExpression ?? '').trim() === '')
    errors.push(fieldError.required(`${path}.valueExpression`, 'valueExpression is not specified'));
  return errors;
};

/** Versions and kinds are names. */
export const checkParamKind: Check<ParamKindV1alpha1> = ({ apiVersion, kind }, { path }) => {
  const errors: FieldError[] = [];
  const parts = (apiVersion ?? '').split('/');
  const wrongVersion =
    parts.length > 2 ? 'must be group/version or version' : dns1035label(parts.at(-1) ?? '');
  if ((apiVersion ?? '') !== '' && wrongVersion !== undefined)
    errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, wrongVersion));
  const wrongKind = dns1035label((kind ?? '').toLowerCase());
  if ((kind ?? '') !== '' && wrongKind !== undefined) {
    const why = `may have mixed case, but should otherwise match: ${wrongKind}`;
    errors.push(fieldError.invalid(`${path}.kind`, kind, why));
  }
  return errors;
};

/** A policy with match constraints has resource rules, and has at least one validation or audit annotation. */
export const checkPolicySpec: Check<ValidatingAdmissionPolicySpecV1alpha1> = (spec, { path }) => {
  const match = spec.matchConstraints ?? {};
  const errors: FieldError[] = [...checkMatch(`${path}.matchConstraints`, match)];
  if (spec.matchConstraints !== undefined && (match.resourceRules ?? []).length === 0)
    errors.push(fieldError.required(`${path}.matchConstraints.resourceRules`));
  if ((spec.validations ?? []).length + (spec.auditAnnotations ?? []).length === 0)
    errors.push(fieldError.required(`${path}.validations`, 'there is nothing that the policy asks for'));
  return errors;
};
