import type { Pace, Work } from '@orch/machinery/concurrency';
import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema } from '../../structural-schema.ts';

/** Limits of a test in pieces. */
export interface Spending {
  readonly budget: Budget;
  readonly pace: Pace;
}

/** A test whether a value satisfies one schema. */
export interface PartTest {
  /** Throws a BudgetError when the work exceeds the budget. */
  holds(value: unknown, budget: Budget): boolean;
  /** Like `holds`, of a value with many parts, in pieces. */
  holding(value: unknown, spending: Spending): Work<boolean>;
}

export type MakeTest = (schema: StructuralSchema) => PartTest;
