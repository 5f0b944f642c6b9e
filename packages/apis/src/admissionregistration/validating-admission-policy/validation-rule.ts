import { f, type StructSchema, struct } from '@orch/schema';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';
import { checkAuditAnnotation, checkValidation } from './validation.ts';

export const validationOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'Validation'),
    'An expression that requests must satisfy, and the error of requests that do not.',
    {
      expression: f.string(1, {
        doc: 'An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused.',
        presence: 'always',
        protoName: 'Expression',
        required: true,
      }),
      message: f.string(2, {
        doc: 'The message for clients; required when the expression has several lines.',
      }),
      reason: f.string(3, {
        doc: 'Reason in the response: Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent.',
        presence: 'pointer',
        enum: ['Forbidden', 'Invalid', 'RequestEntityTooLarge'],
        openapiEnum: 'never',
        emptyIsInvalid: true,
      }),
      messageExpression: f.string(4, {
        doc: 'An expression whose value is returned to clients instead of the message.',
      }),
    },
    { checks: [checkValidation] },
  );

export const auditAnnotationOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'AuditAnnotation'),
    'An annotation of requests in the audit log.',
    {
      key: f.string(1, {
        doc: 'Second part of the key; the first is the name of the policy.',
        presence: 'always',
      }),
      valueExpression: f.string(2, {
        doc: 'An expression whose value is a string, or null for no annotation.',
        presence: 'always',
        required: true,
        maxBytes: 5 * 1024,
      }),
    },
    { checks: [checkAuditAnnotation] },
  );
