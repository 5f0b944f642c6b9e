import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { matchConditions } from '../shared/match-condition.ts';
import { policyParts } from '../shared/policy/policy-parts.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';
import { statusOf } from './status-of.ts';
import { checkPolicySpec } from './validation.ts';
import { auditAnnotationOf, validationOf } from './validation-rule.ts';

const specOf = (version: PolicyVersion): StructSchema => {
  const { matchCondition, matchResources, paramKind, variable } = policyParts[version];
  return struct(
    structName(version, 'ValidatingAdmissionPolicySpec'),
    'Requirements of a policy, and the requests that they apply to.',
    {
      paramKind: f.struct(1, paramKind, {
        doc: 'Kind of the objects with its parameters; absent when the policy has none.',
        presence: 'pointer',
      }),
      matchConstraints: f.struct(2, matchResources, {
        doc: 'Requests that the policy applies to; the types of their resources must be known.',
        presence: 'pointer',
        required: true,
        openapiRequired: version === 'v1alpha1',
      }),
      validations: f.list(3, validationOf(version), {
        doc: 'Expressions that must all hold.',
        listType: 'atomic',
        openapiRequired: false,
      }),
      failurePolicy: f.string(4, {
        doc: 'What happens to a request when an expression cannot be evaluated: Fail rejects it, Ignore continues.',
        presence: 'pointer',
        default: 'Fail',
        enum: ['Fail', 'Ignore'],
        openapiEnum: version === 'v1beta1' ? 'never' : { since: '1.27' },
        emptyIsInvalid: true,
      }),
      auditAnnotations: f.list(5, auditAnnotationOf(version), {
        doc: 'Annotations of the requests in the audit log.',
        listType: 'atomic',
        maxItems: 20,
        uniqueBy: 'key',
        uniqueWithEmpty: true,
      }),
      matchConditions: matchConditions(6, matchCondition, {}),
      variables: f.list(7, variable, {
        doc: 'Expressions that later expressions can refer to, in their order.',
        listType: 'map',
        mapKeys: ['name'],
        patchStrategy: 'merge',
        patchMergeKey: 'name',
      }),
    },
    { checks: [checkPolicySpec] },
  );
};

/** The kind in one version. */
export const validatingAdmissionPolicyOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'ValidatingAdmissionPolicy'),
    'Expressions that requests must satisfy. A policy does nothing until it is bound.',
    {
      metadata: metadataField,
      spec: f.struct(2, specOf(version), { doc: 'Desired state of the object.', presence: 'always' }),
      status: f.struct(3, statusOf(version), {
        doc: 'Most recently observed state of the object; written by the system.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );
