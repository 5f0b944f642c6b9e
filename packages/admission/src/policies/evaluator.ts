import {
  CostBudget,
  EvaluationError,
  LazyVariables,
  type Outcome,
  outOfBudget,
  Piecewise,
  POLICY_COST_LIMIT,
  type Program,
  type Value,
} from '@orch/cel';
import { type ExpressionFailure, failedExpression, type Turn } from '../expressions/index.ts';
import type { CompiledVariable } from './variable-programs.ts';

/** Depth to which variables that refer to variables are evaluated within one evaluation. */
const MAX_DEPTH = 16;

/** The result of one expression of a policy. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: Value }
  | ({ readonly kind: 'error'; readonly error: ErrorType } & ExpressionFailure)
  /** The budget is used up: no further expressions are evaluated. */
  | { readonly kind: 'exhausted'; readonly message: string; readonly error: ErrorType };

/** Error types in metrics. */
export type ErrorType = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

/** Stops a long evaluation, so that its variables are evaluated one by one before it is repeated. */
class Interruption {}

/** An evaluated variable: its value, or its error. */
type Known = { readonly value: Value } | { readonly error: EvaluationError };

/**
 * Evaluates the expressions of one policy for one write and one object with parameters. Variables are evaluated once,
 * on first use.
 */
export class Evaluator {
  readonly #variables: ReadonlyMap<string, CompiledVariable>;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #turn: Turn;
  readonly #known = new Map<string, Known>();
  #budget = new CostBudget(POLICY_COST_LIMIT);
  #isExhausted = false;
  #depth = 0;
  /** Variables that are evaluated before the next expression; undefined unless an expression was interrupted. */
  #preparing: CompiledVariable[] | undefined;
  readonly #expression = new Piecewise();
  readonly #variable = new Piecewise();

  constructor(variables: readonly CompiledVariable[], values: Readonly<Record<string, unknown>>, turn: Turn) {
    this.#variables = new Map(variables.map((variable) => [variable.name, variable]));
    const lazy = new LazyVariables(new Set(this.#variables.keys()), (name) => this.#read(name));
    this.#values = { ...values, variables: lazy };
    this.#turn = turn;
  }

  /** The following expressions have the whole budget. */
  renewBudget(): void {
    this.#budget = new CostBudget(POLICY_COST_LIMIT);
    this.#isExhausted = false;
  }

  /**
   * Undefined when it must be called again after other work had a turn. Throws a `PendingDecision`, as authorizer
   * checks do.
   */
  evaluate(program: Program | string, expression: string): Evaluated | undefined {
    if (this.#prepares()) return undefined;
    if (typeof program === 'string') return { kind: 'error', message: program, error: 'compile_error' };
    const outcome = this.#run(program);
    if (outcome === undefined) return undefined;
    if (!this.#spend(outcome)) return { kind: 'exhausted', message: outOfBudget, error: 'out_of_budget' };
    if (outcome.kind === 'value') return outcome;
    return { kind: 'error', ...failedExpression(expression, outcome.message), error: 'invalid_error' };
  }

  #run(program: Program): Outcome | undefined {
    try {
      return this.#expression.next(program, this.#values);
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      this.#preparing = [...this.#variables.values()].reverse();
      return undefined;
    }
  }

  /** Evaluates a piece of the next variable after an interruption; false when all are evaluated. */
  #prepares(): boolean {
    const variable = this.#preparing?.at(-1);
    if (variable === undefined || this.#isExhausted) return false;
    if (!this.#known.has(variable.name)) {
      const known = this.#evaluated(variable, (program) => this.#variable.next(program, this.#values));
      if (known === undefined) return true;
      this.#known.set(variable.name, known);
    }
    this.#preparing?.pop();
    return true;
  }

  #read(name: string): Value {
    const known = this.#known.get(name) ?? this.#nested(name);
    if ('error' in known) throw known.error;
    return known.value;
  }

  #nested(name: string): Known {
    const variable = this.#variables.get(name);
    if (variable === undefined) throw new TypeError(`no variable ${name}`);
    if (this.#isExhausted) return { error: new EvaluationError(outOfBudget) };
    this.#interrupt();
    this.#depth += 1;
    try {
      const known = this.#evaluated(variable, (program) => this.#shortOutcome(program));
      if (known !== undefined) this.#known.set(name, known);
    } finally {
      this.#depth -= 1;
    }
    this.#interrupt();
    return this.#known.get(name) ?? { value: null };
  }

  #interrupt(): void {
    if (this.#preparing === undefined && (this.#turn.isLong || this.#depth >= MAX_DEPTH))
      throw new Interruption();
  }

  /** The outcome of a variable within an expression, which one that takes long interrupts. */
  #shortOutcome(program: Program): Outcome {
    if (this.#preparing !== undefined) return program.evaluate(this.#values);
    const outcome = program.begin(this.#values);
    if (outcome.kind === 'unfinished') throw new Interruption();
    return outcome;
  }

  /** Undefined when `evaluate` must be called again. */
  #evaluated(
    { name, program }: CompiledVariable,
    evaluate: (program: Program) => Outcome | undefined,
  ): Known | undefined {
    if (typeof program === 'string') return failed(name, program);
    const outcome = evaluate(program);
    if (outcome === undefined) return undefined;
    if (!this.#spend(outcome)) return { error: new EvaluationError(outOfBudget) };
    return outcome.kind === 'value' ? outcome : failed(name, outcome.message);
  }

  #spend(outcome: Outcome): boolean {
    if (!this.#budget.spend(outcome)) this.#isExhausted = true;
    return !this.#isExhausted;
  }
}

const failed = (name: string, message: string): Known => ({
  error: new EvaluationError(`composited variable "${name}" fails to evaluate: ${message}`),
});
