import { EVALUATION_COST_LIMIT } from '../limits.ts';
import type { Outcome } from '../outcome.ts';

/** The remaining cost of several expressions together: those of a webhook for one write, or of an issuer for one token. */
export class CostBudget {
  #cost: number;
  #work: number;

  constructor(limit: number) {
    this.#cost = limit;
    this.#work = limit;
  }

  /** Takes what an evaluation cost; false when the budget does not suffice. */
  spend(outcome: Outcome): boolean {
    const isCut = outcome.kind === 'limit';
    this.#cost -= isCut ? EVALUATION_COST_LIMIT : outcome.cost;
    this.#work -= outcome.work;
    return this.#cost >= 0 && this.#work >= 0;
  }
}

/** The message when the budget is used up. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';
