import type { Evaluation } from '../functions/evaluation.ts';
import { CostLimitError, EvaluationError } from '../values/evaluation-error.ts';

/** An error that a logical operator may ignore; throws others. It costs more than the values that evaluate without. */
export function absorbed(error: unknown, evaluation: Evaluation): EvaluationError {
  if (!(error instanceof EvaluationError) || error instanceof CostLimitError) throw error;
  evaluation.work(200);
  return error;
}
