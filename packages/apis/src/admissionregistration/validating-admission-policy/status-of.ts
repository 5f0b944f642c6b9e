import { f, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

const typeCheckingOf = (version: PolicyVersion): StructSchema => {
  const warning = struct(structName(version, 'ExpressionWarning'), 'What is odd about one expression.', {
    fieldRef: f.string(2, { doc: 'Path of the expression.', presence: 'always' }),
    warning: f.string(3, { doc: 'What is odd, for people.', presence: 'always' }),
  });
  return struct(
    structName(version, 'TypeChecking'),
    'What checking the types in the expressions of a policy has shown.',
    {
      expressionWarnings: f.list(1, warning, {
        doc: 'Expressions that do not fit the types of the resources.',
        listType: 'atomic',
      }),
    },
  );
};

export const statusOf = (version: PolicyVersion): StructSchema =>
  struct(structName(version, 'ValidatingAdmissionPolicyStatus'), 'What is known of a policy.', {
    observedGeneration: f.int64(1, { doc: 'Generation of the policy that was looked at.' }),
    typeChecking: f.struct(2, typeCheckingOf(version), {
      doc: 'What checking the types has shown; there when it was done.',
      presence: 'pointer',
    }),
    conditions: f.list(3, Condition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
    }),
  });
