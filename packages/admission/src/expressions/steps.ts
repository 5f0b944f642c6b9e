import { PendingDecision } from './access-decisions.ts';
import type { Turn } from './turn.ts';

/**
 * Calls `step` until it returns a result; synchronously, unless it needs an unknown decision of the authorizer, or
 * takes so long that other work needs a turn.
 */
export function runSteps<T>(step: () => T | undefined, turn: Turn): T | Promise<T> {
  for (;;) {
    try {
      const result = step();
      if (result !== undefined) return result;
    } catch (error) {
      if (!(error instanceof PendingDecision)) throw error;
      return error.decided.then(() => runSteps(step, turn));
    }
    if (turn.isLong) return turn.next().then(() => runSteps(step, turn));
  }
}
