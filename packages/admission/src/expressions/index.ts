export type { AccessParts } from './access-decisions.ts';
export { type ExpressionFailure, failedExpression, messageFor } from './expression-failure.ts';
export { MatchConditions } from './match-conditions.ts';
export { requestVariable } from './request-variable.ts';
export { runSteps } from './steps.ts';
export { Turn } from './turn.ts';
export { type ExpressionParts, type VersionVariables, WriteVariables } from './write-variables.ts';
