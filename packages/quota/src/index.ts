export {
  type Amounts,
  addTo,
  noAmounts,
  raiseTo,
  readAmounts,
  sameAmounts,
  writeAmounts,
  zeroAmount,
} from './amounts.ts';
export { countBound, isUncounted, quotaEvaluator } from './evaluators.ts';
export { exceeding, growthOf, type MeasuredWrite, remainderOf, sumOf } from './growth.ts';
export { type Evaluator, type Measure, sameMeasure } from './measure.ts';
export { holds, isInScope, readConditions, type ScopeCondition, scopeConditions } from './scopes.ts';
export { usageOf } from './usage.ts';
