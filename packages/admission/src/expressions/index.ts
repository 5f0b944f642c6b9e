export { type ConditionsOutcome, MatchConditions } from './match-conditions.ts';
export { type ExpressionParts, type VersionVariables, WriteVariables } from './write-variables.ts';
