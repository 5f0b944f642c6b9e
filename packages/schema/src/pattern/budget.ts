/** Work that may be done for one request. */
export interface Budget {
  /** Takes some of it; throws a `BudgetError` when there is not enough left. */
  spend(steps: number): void;
}

/** Something takes more work than any honest request asks for. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** So many steps, and no more. */
export function budgetOf(steps: number): Budget {
  let left = steps;
  return {
    spend(some) {
      left -= some;
      if (left < 0) throw new BudgetError(`more than ${steps} steps`);
    },
  };
}
