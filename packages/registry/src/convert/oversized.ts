import { errors } from '@orch/machinery';
import type { DecodeProblem } from '@orch/schema';

/** Refuses an object that is too large after defaulting (422). */
export function refuseOversized(problems: readonly DecodeProblem[], kind: string): void {
  const oversized = problems.find((problem) => problem.kind === 'size');
  if (oversized === undefined) return;
  const message = `the object cannot be stored as ${kind}: ${oversized.message}`;
  throw errors.unprocessable(message, [], () => ({ message }));
}
