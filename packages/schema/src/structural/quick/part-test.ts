import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema } from '../../structural-schema.ts';

/** A test whether a value satisfies one schema. */
export interface PartTest {
  /** Throws a BudgetError when the work exceeds the budget. */
  holds(value: unknown, budget: Budget): boolean;
}

export type MakeTest = (schema: StructuralSchema) => PartTest;
