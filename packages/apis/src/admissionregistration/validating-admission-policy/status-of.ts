import { f, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

const typeCheckingOf = (version: PolicyVersion): StructSchema => {
  const warning = struct(structName(version, 'ExpressionWarning'), 'A warning about one expression.', {
    fieldRef: f.string(2, { doc: 'Path of the expression.', presence: 'always' }),
    warning: f.string(3, { doc: 'Human-readable warning.', presence: 'always' }),
  });
  return struct(
    structName(version, 'TypeChecking'),
    'Result of the type check of the expressions of a policy.',
    {
      expressionWarnings: f.list(1, warning, {
        doc: 'Expressions that do not fit the types of the resources.',
        listType: 'atomic',
      }),
    },
  );
};

export const statusOf = (version: PolicyVersion): StructSchema =>
  struct(structName(version, 'ValidatingAdmissionPolicyStatus'), 'Observed state of a policy.', {
    observedGeneration: f.int64(1, { doc: 'Generation of the policy that was observed.' }),
    typeChecking: f.struct(2, typeCheckingOf(version), {
      doc: 'Result of the type check; present when it was done.',
      presence: 'pointer',
    }),
    conditions: f.list(3, Condition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
    }),
  });
