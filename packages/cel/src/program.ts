import { atOnce, type Work } from '@orch/machinery/concurrency';
import { check } from './check/checker.ts';
import type { Environment } from './check/environment.ts';
import { checkHomogeneous } from './check/homogeneous.ts';
import { checkLiterals } from './check/literal-arguments.ts';
import { resolveNames } from './check/resolve-names.ts';
import { estimateCost } from './cost/estimator.ts';
import { Compiler } from './eval/compiler.ts';
import type { Evaluate } from './eval/node-compiler.ts';
import { Evaluation } from './functions/evaluation.ts';
import { type Frame, Pause } from './functions/progress.ts';
import type { Range } from './functions/range.ts';
import { EVALUATION_COST_LIMIT, PIECE } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { Node } from './syntax/ast.ts';
import { childrenOf } from './syntax/height.ts';
import { parse } from './syntax/parser.ts';
import { CelSyntaxError, type Issue } from './syntax/source.ts';
import type { Variable } from './syntax/variable.ts';
import { Substitution } from './types/substitution.ts';
import { type CelType, dyn, formatType } from './types/type.ts';
import { CostLimitError, EvaluationError } from './values/evaluation-error.ts';
import { JsonReader } from './values/json.ts';
import { none, type Value } from './values/value.ts';

/**
 * An expression that is checked and can be evaluated any number of times. Closures are made at the first evaluation, so
 * that programs that are only checked stay small.
 */
export class Program {
  readonly resultType: CelType;
  readonly #root: Node;
  readonly #environment: Environment;
  readonly #slots: number;
  #evaluate: Evaluate | undefined;

  constructor(root: Node, environment: Environment, { type, slots }: { type: CelType; slots: number }) {
    this.#root = root;
    this.#environment = environment;
    this.resultType = type;
    this.#slots = slots;
  }

  /** Reports whether the expression refers to a variable of its environment. */
  uses(name: string): boolean {
    return refersTo(this.#root, name);
  }

  /** The fields of a variable that the expression names: `v.a`, `v.?a`, `has(v.a)` and `v["a"]`. */
  fieldsOf(variable: string): ReadonlySet<string> {
    const found = new Set<string>();
    collectFields(this.#root, variable, found);
    return found;
  }

  /** The least and the most that an evaluation costs for values that fit the declarations. */
  estimateCost(): Range {
    return estimateCost(this.#root, this.#environment);
  }

  /**
   * Evaluates with the values of the variables, by name: JSON as declared, which must not change meanwhile. A variable
   * without a value is an error where it is used. Errors of the expression are part of the result and are not thrown.
   */
  evaluate(values: Readonly<Record<string, unknown>>, costLimit = EVALUATION_COST_LIMIT): Outcome {
    const outcome = this.#start(values, costLimit, Number.POSITIVE_INFINITY);
    if (outcome.kind === 'unfinished') throw new TypeError('an evaluation without pieces was left');
    return outcome;
  }

  /** As `evaluate`, in pieces of about a millisecond: the first one, and the rest with `continue` of the result. */
  begin(values: Readonly<Record<string, unknown>>, piece = PIECE): Outcome | Unfinished {
    return this.#start(values, EVALUATION_COST_LIMIT, piece);
  }

  #start(values: Readonly<Record<string, unknown>>, costLimit: number, piece: number): Outcome | Unfinished {
    this.#evaluate ??= new Compiler(this.#environment).compile(this.#root);
    const evaluation = new Evaluation(new Array<Value>(this.#slots), costLimit, piece);
    try {
      bind(this.#environment.variables, values, evaluation);
    } catch (error) {
      return failed(error, evaluation);
    }
    return run(this.#evaluate, evaluation);
  }
}

/** An evaluation that was left at the end of a piece. The values of its variables must not change meanwhile. */
export class Unfinished {
  readonly kind = 'unfinished';
  readonly #evaluate: Evaluate;
  readonly #evaluation: Evaluation;
  readonly #frame: Frame;

  constructor(evaluate: Evaluate, evaluation: Evaluation, frame: Frame) {
    this.#evaluate = evaluate;
    this.#evaluation = evaluation;
    this.#frame = frame;
  }

  /** Evaluates the next piece. Called once. */
  continue(): Outcome | Unfinished {
    this.#evaluation.resume(this.#frame);
    return run(this.#evaluate, this.#evaluation);
  }

  /** All pieces that are left. */
  *rest(): Work<Outcome> {
    let outcome: Outcome | Unfinished = this;
    while (outcome.kind === 'unfinished') {
      yield;
      outcome = outcome.continue();
    }
    return outcome;
  }
}

function run(evaluate: Evaluate, evaluation: Evaluation): Outcome | Unfinished {
  const { frame } = evaluation;
  try {
    const value = evaluate(evaluation);
    evaluation.checkLimit();
    return { kind: 'value', value, cost: evaluation.cost, work: evaluation.workDone };
  } catch (error) {
    return error instanceof Pause ? new Unfinished(evaluate, evaluation, frame) : failed(error, evaluation);
  }
}

function failed(error: unknown, { cost, workDone: work }: Evaluation): Outcome {
  if (!(error instanceof EvaluationError)) throw error;
  return { kind: error instanceof CostLimitError ? 'limit' : 'error', message: error.message, cost, work };
}

function refersTo(node: Node, name: string): boolean {
  const variable = node.kind === 'ident' || node.kind === 'select' ? node.variable : undefined;
  if (variable !== undefined) return variable.name === name && variable.decl !== undefined;
  return childrenOf(node).some((child) => refersTo(child, name));
}

function collectFields(node: Node, variable: string, found: Set<string>): void {
  if ((node.kind === 'select' || node.kind === 'index') && isVariable(node.operand, variable)) {
    if (node.kind === 'select') found.add(node.field);
    else if (node.index.kind === 'literal' && typeof node.index.value === 'string')
      found.add(node.index.value);
  }
  for (const child of childrenOf(node)) collectFields(child, variable, found);
}

const isVariable = (node: Node, name: string): boolean =>
  node.kind === 'ident' && node.variable?.name === name && node.variable.decl !== undefined;

function bind(
  variables: readonly Variable[],
  values: Readonly<Record<string, unknown>>,
  evaluation: Evaluation,
): void {
  const reader = new JsonReader(evaluation);
  for (const { name, slot, decl } of variables) {
    const raw = values[name];
    if (raw !== undefined && decl !== undefined) evaluation.slots[slot] = reader.value(decl, raw);
    else if (decl?.kind === 'optional') evaluation.slots[slot] = none;
  }
}

/**
 * Parses and checks an expression. With `expected`, its result has to be of that type. Throws a CelSyntaxError that shows
 * every problem with its place.
 */
export function compile(source: string, environment: Environment, expected?: CelType): Program {
  return atOnce(compileInPieces(source, environment, expected));
}

/** As `compile`, in pieces: a long expression takes some milliseconds for each of its steps. */
export function* compileInPieces(
  source: string,
  environment: Environment,
  expected?: CelType,
): Work<Program> {
  const root = parseFor(source, environment);
  yield;
  const checked = check(source, root, environment);
  yield;
  if (environment.options.homogeneousLiterals === true) checkHomogeneous(source, root);
  checkLiterals(source, root);
  yield;
  checkConstants(source, root, new Compiler(environment));
  if (expected !== undefined && !new Substitution().assignable(checked.type, expected)) {
    const message = `must evaluate to ${formatType(expected)}, but is of type ${formatType(checked.type)}`;
    throw new CelSyntaxError(source, [{ at: 0, message }]);
  }
  return new Program(root, environment, checked);
}

/** Parses an expression without a check of its types, which are then found when it is evaluated. */
export function compileUnchecked(source: string, environment: Environment): Program {
  const root = parseFor(source, environment);
  return new Program(root, environment, { type: dyn, slots: resolveNames(root, environment) });
}

/** Reports conversions of constants that have no value: the expression could never be evaluated. */
function checkConstants(source: string, root: Node, compiler: Compiler): void {
  const issues: Issue[] = [];
  const visit = (node: Node): void => {
    const message = node.kind === 'call' ? compiler.constantFailure(node) : undefined;
    if (message !== undefined) issues.push({ at: node.at, message });
    else childrenOf(node).forEach(visit);
  };
  visit(root);
  if (issues.length > 0) throw new CelSyntaxError(source, issues);
}

const parseFor = (source: string, { macros, options }: Environment): Node =>
  parse(source, {
    hasMacro: (key) => macros.has(key),
    quotedFields: options.quotedFields ?? false,
  });
