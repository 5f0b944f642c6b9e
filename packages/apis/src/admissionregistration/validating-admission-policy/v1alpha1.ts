import { f, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { matchConditionOf, matchConditions } from '../shared/match-condition.ts';
import { MatchResources } from '../shared/match-resources.ts';
import { checkParamKind, checkPolicySpec } from './validation.ts';
import { AuditAnnotation, Validation } from './validation-rule.ts';

export const ParamKind = struct(
  'admissionregistration.v1alpha1.ParamKind',
  'Kind of the objects that hold parameters of a policy.',
  {
    apiVersion: f.string(1, { doc: 'Group and version of the kind.', required: true }),
    kind: f.string(2, { doc: 'Name of the kind.', required: true }),
  },
  { checks: [checkParamKind] },
);

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec',
  'What a policy asks of which requests.',
  {
    paramKind: f.struct(1, ParamKind, {
      doc: 'Kind of the objects that hold its parameters; none when the policy takes none.',
      presence: 'pointer',
    }),
    matchConstraints: f.struct(2, MatchResources, {
      doc: 'Requests that the policy is about; it speaks of resources that it can know the types of.',
      presence: 'pointer',
      required: true,
    }),
    validations: f.list(3, Validation, {
      doc: 'Expressions that must all hold.',
      listType: 'atomic',
      openapiRequired: false,
    }),
    failurePolicy: f.string(4, {
      doc: 'What becomes of a request when an expression cannot be evaluated: Fail refuses it, Ignore lets it go on.',
      presence: 'pointer',
      default: 'Fail',
      enum: ['Fail', 'Ignore'],
    }),
    auditAnnotations: f.list(5, AuditAnnotation, {
      doc: 'Annotations of the requests in the audit log.',
      listType: 'atomic',
      since: '1.27',
      maxItems: 20,
    }),
    matchConditions: matchConditions(6, matchConditionOf('v1alpha1'), { since: '1.27' }),
  },
  { checks: [checkPolicySpec] },
);

export const ExpressionWarning = struct(
  'admissionregistration.v1alpha1.ExpressionWarning',
  'What is odd about one expression.',
  {
    fieldRef: f.string(2, { doc: 'Path of the expression.', presence: 'always' }),
    warning: f.string(3, { doc: 'What is odd, for people.', presence: 'always' }),
  },
);

export const TypeChecking = struct(
  'admissionregistration.v1alpha1.TypeChecking',
  'What checking the types in the expressions of a policy has shown.',
  {
    expressionWarnings: f.list(1, ExpressionWarning, {
      doc: 'Expressions that do not fit the types of the resources.',
      listType: 'atomic',
    }),
  },
);

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicyStatus',
  'What is known of a policy.',
  {
    observedGeneration: f.int64(1, { doc: 'Generation of the policy that was looked at.' }),
    typeChecking: f.struct(2, TypeChecking, {
      doc: 'What checking the types has shown; there when it was done.',
      presence: 'pointer',
    }),
    conditions: f.list(3, Condition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
    }),
  },
);

export const ValidatingAdmissionPolicy = struct(
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicy',
  'Expressions that requests must satisfy. A policy does nothing until it is bound.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, ValidatingAdmissionPolicySpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, ValidatingAdmissionPolicyStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
      since: '1.27',
    }),
  },
  { typeMeta: true },
);
