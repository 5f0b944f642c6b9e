/** Work that may be done for one request. */
export interface Budget {
  /** Takes some of it; throws a `BudgetError` when there is not enough left. */
  spend(steps: number): void;
}

/** An operation needs more work than any legitimate request. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** A limit on the number of steps. */
export function budgetOf(steps: number): Budget {
  let left = steps;
  return {
    spend(some) {
      left -= some;
      if (left < 0) throw new BudgetError(`more than ${steps} steps`);
    },
  };
}
