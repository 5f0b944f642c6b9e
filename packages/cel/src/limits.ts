/** Most that one evaluation costs before it is cut off. */
export const EVALUATION_COST_LIMIT = 1_000_000;

/** Most that all rules together cost in the validation of one object. */
export const OBJECT_COST_LIMIT = 10_000_000;

/** Maximum estimate of one rule of an accepted schema, times the number of values for which the rule is evaluated. */
export const RULE_ESTIMATE_LIMIT = 10_000_000;

/** Maximum total of the estimates of all rules of a schema. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;

/** Most that the expressions of one policy cost in the admission of one write. */
export const POLICY_COST_LIMIT = 10_000_000;

/** Most that the match conditions of one webhook or policy cost in the admission of one write. */
export const CONDITIONS_COST_LIMIT = 2_500_000;

/** Cost and work of one piece of an evaluation: half a millisecond, and a few where it is not optimized yet. */
export const PIECE = 50_000;
