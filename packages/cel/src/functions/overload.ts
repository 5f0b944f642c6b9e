import type { CelType } from '../types/type.ts';
import type { Value } from '../values/value.ts';
import type { CallEstimator } from './call-estimate.ts';
import type { Evaluation } from './evaluation.ts';

/** The cost of a call, from its arguments and (with `costOfResult`) its result. */
export type CallCost = (args: readonly Value[], evaluation: Evaluation, result: Value) => number;

/**
 * The work of a call beyond its cost, in units of about 10 ns: constant, or from its arguments. It is counted before
 * the call, so that a call which exceeds the limit does not start.
 */
export type CallWork = number | ((args: readonly Value[]) => number);

/** One signature of a function. The receiver of a member function is its first argument. */
export interface Overload {
  /** Unique among all overloads. */
  readonly id: string;
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Called with arguments of the declared types. Throws an EvaluationError. */
  readonly call: (args: readonly Value[], evaluation: Evaluation) => Value;
  /** 1 without. */
  readonly cost?: CallCost;
  readonly work?: CallWork;
  /** The cost is known after the call only. */
  readonly costOfResult?: boolean;
  /** The cost counts only where the static types leave no other overload. */
  readonly costNeedsTypes?: boolean;
  /** The cost before anything is known but types and sizes; 1 without. */
  readonly estimate?: CallEstimator;
}

/** A set of functions and macros with the release of the API that has them first. */
export interface Library {
  readonly name: string;
  readonly functions: Readonly<Record<string, readonly Overload[]>>;
  /** As `name/arguments`. */
  readonly macros?: readonly string[];
  /** Types whose names are values in expressions. */
  readonly types?: readonly CelType[];
}

type Implementation = (...args: never[]) => Value;

interface Costs {
  readonly cost?: CallCost;
  readonly work?: CallWork;
  readonly costOfResult?: boolean;
  readonly costNeedsTypes?: boolean;
  readonly estimate?: CallEstimator;
}

/**
 * An overload whose implementation takes its arguments one by one; their TypeScript types must be what values of `args`
 * are.
 */
export function overload(
  id: string,
  [args, result]: readonly [args: readonly CelType[], result: CelType],
  implementation: Implementation,
  costs: Costs = {},
): Overload {
  const apply = implementation as unknown as (...args: readonly unknown[]) => Value;
  return { id, member: false, args, result, call: callOf(apply, args.length), ...costs };
}

/** As `overload`, for a function that is called on its first argument. */
export const member = (...definition: Parameters<typeof overload>): Overload => ({
  ...overload(...definition),
  member: true,
});

function callOf(apply: (...args: readonly unknown[]) => Value, count: number): Overload['call'] {
  switch (count) {
    case 0:
      return (_, evaluation) => apply(evaluation);
    case 1:
      return (args, evaluation) => apply(args[0], evaluation);
    case 2:
      return (args, evaluation) => apply(args[0], args[1], evaluation);
    default:
      return (args, evaluation) => apply(...args, evaluation);
  }
}
