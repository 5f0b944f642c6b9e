import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { matchConditions } from '../shared/match-condition.ts';
import { policyParts } from '../shared/policy/policy-parts.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';
import { mutationOf } from './mutation-of.ts';
import { checkPolicySpec } from './validation.ts';

const specOf = (version: PolicyVersion): StructSchema => {
  const { matchCondition, matchResources, paramKind, variable } = policyParts[version];
  return struct(
    structName(version, 'MutatingAdmissionPolicySpec'),
    'Changes of a policy, and the requests that they apply to.',
    {
      paramKind: f.struct(1, paramKind, {
        doc: 'Kind of the objects with its parameters; absent when the policy has none.',
        presence: 'pointer',
      }),
      matchConstraints: f.struct(2, matchResources, {
        doc: 'Requests that the policy applies to. It changes no policies and bindings.',
        presence: 'pointer',
        required: true,
        openapiRequired: false,
      }),
      variables: f.list(3, variable, {
        doc: 'Expressions that later expressions can refer to, in their order.',
        listType: 'atomic',
      }),
      mutations: f.list(4, mutationOf(version), {
        doc: 'Changes of the object, one after the other.',
        listType: 'atomic',
      }),
      failurePolicy: f.string(5, {
        doc: 'What happens to a request when the policy cannot be evaluated: Fail rejects it, Ignore continues without a change.',
        presence: 'pointer',
        default: 'Fail',
        enum: ['Fail', 'Ignore'],
        openapiEnum: version === 'v1beta1' ? 'never' : {},
        emptyIsInvalid: true,
      }),
      matchConditions: matchConditions(6, matchCondition, {}),
      reinvocationPolicy: f.string(7, {
        doc: 'IfNeeded evaluates the policy again when the object was changed after it; Never evaluates it once.',
        required: true,
        openapiRequired: false,
        enum: ['IfNeeded', 'Never'],
      }),
    },
    { checks: [checkPolicySpec] },
  );
};

/** The kind in one version. */
export const mutatingAdmissionPolicyOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'MutatingAdmissionPolicy'),
    'Changes of objects before they are stored. A policy does nothing until it is bound.',
    {
      metadata: metadataField,
      spec: f.struct(2, specOf(version), { doc: 'Desired state of the object.', presence: 'always' }),
    },
    { typeMeta: true },
  );
