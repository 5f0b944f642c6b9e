import type { Evaluation } from '../functions/evaluation.ts';
import { CostLimitError, EvaluationError } from '../values/evaluation-error.ts';

/** The error of an operand that a logical operator may absorb; throws others. */
export function absorbed(error: unknown, evaluation: Evaluation): EvaluationError {
  if (!(error instanceof EvaluationError) || error instanceof CostLimitError) throw error;
  evaluation.work(200);
  return error;
}
