import type { ValidatingAdmissionPolicySpec } from '@orch/kinds/admissionregistration';

/** The variables that an expression can use in addition to the common ones. */
export type ExpressionScope = 'condition' | 'message' | 'matchCondition';

/** An expression of a policy. */
export interface PolicyExpression {
  /** Path of the expression in the policy. */
  readonly fieldRef: string;
  readonly source: string;
  readonly scope: ExpressionScope;
  /** The name of the variable that the expression defines. */
  readonly variable?: string;
}

/** The expressions of a policy: variables first, since the other expressions use them. */
export function policyExpressions(spec: ValidatingAdmissionPolicySpec): readonly PolicyExpression[] {
  const { auditAnnotations = [], matchConditions = [], validations = [], variables = [] } = spec;
  return [
    ...variables.map(({ name = '', expression = '' }, i) => ({
      ...at(`variables[${i}].expression`, expression, 'condition'),
      variable: name,
    })),
    ...validations.flatMap(({ expression = '', messageExpression = '' }, i) => [
      at(`validations[${i}].expression`, expression, 'condition'),
      at(`validations[${i}].messageExpression`, messageExpression, 'message'),
    ]),
    ...auditAnnotations.map(({ valueExpression = '' }, i) =>
      at(`auditAnnotations[${i}].valueExpression`, valueExpression, 'condition'),
    ),
    ...matchConditions.map(({ expression = '' }, i) =>
      at(`matchConditions[${i}].expression`, expression, 'matchCondition'),
    ),
  ].filter(({ source }) => source.trim() !== '');
}

const at = (path: string, source: string, scope: ExpressionScope): PolicyExpression => ({
  fieldRef: `spec.${path}`,
  source,
  scope,
});
