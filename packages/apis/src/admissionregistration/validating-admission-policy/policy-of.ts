import { f, type StructSchema, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
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
    'What a policy asks of which requests.',
    {
      paramKind: f.struct(1, paramKind, {
        doc: 'Kind of the objects that hold its parameters; none when the policy takes none.',
        presence: 'pointer',
      }),
      matchConstraints: f.struct(2, matchResources, {
        doc: 'Requests that the policy is about; it speaks of resources that it can know the types of.',
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
        doc: 'What becomes of a request when an expression cannot be evaluated: Fail refuses it, Ignore lets it go on.',
        presence: 'pointer',
        default: 'Fail',
        enum: ['Fail', 'Ignore'],
      }),
      auditAnnotations: f.list(5, auditAnnotationOf(version), {
        doc: 'Annotations of the requests in the audit log.',
        listType: 'atomic',
        maxItems: 20,
        uniqueBy: 'key',
      }),
      matchConditions: matchConditions(6, matchCondition, {}),
      variables: f.list(7, variable, {
        doc: 'Expressions that others can refer to, in the order in which they can.',
        listType: 'map',
        mapKeys: ['name'],
        patchStrategy: 'merge',
        patchMergeKey: 'name',
        uniqueBy: 'name',
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
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Name, labels and the other data that every object carries.',
        presence: 'always',
      }),
      spec: f.struct(2, specOf(version), { doc: 'What its owner wants.', presence: 'always' }),
      status: f.struct(3, statusOf(version), {
        doc: 'What was observed last; written by the system, never by the owner.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );
