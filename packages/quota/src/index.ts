export {
  type Amounts,
  addTo,
  countAmount,
  noAmounts,
  raiseTo,
  readAmounts,
  sameAmounts,
  writeAmounts,
  zeroAmount,
} from './amounts.ts';
export { countBound, isUncounted, quotaEvaluator } from './evaluators.ts';
export { type Evaluator, type Measure, type PodScopes, sameMeasure } from './measure.ts';
export { isInScope, type ScopeCondition, scopeConditions } from './scopes.ts';
export { takenAt, type Usage, usageOf } from './usage.ts';
