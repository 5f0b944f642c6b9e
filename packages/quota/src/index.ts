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
export { type Counted, exceeding, growthOf, type MeasuredWrite, remainderOf, sumOf } from './growth.ts';
export { type Evaluator, type Measure, type PodScopes, sameMeasure } from './measure.ts';
export { holds, isInScope, readConditions, type ScopeCondition, scopeConditions } from './scopes.ts';
export { takenAt, type Usage, usageOf } from './usage.ts';
