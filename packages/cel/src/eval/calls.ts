import { equalityCost, lazyOptionals } from '../functions/call-costs.ts';
import type { Evaluation } from '../functions/evaluation.ts';
import type { CallWork, Overload } from '../functions/overload.ts';
import type { Step } from '../functions/progress.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { ListValue, OptionalValue, type Value } from '../values/value.ts';
import { hasType } from './has-type.ts';
import type { Evaluate, NodeCompiler } from './node-compiler.ts';
import { type BinaryOperator, binaryOperators, negate, not } from './operators.ts';
import { primitiveSet } from './primitive-set.ts';

/** Compiles a call of an operator or function. */
export function compileCall(compiler: NodeCompiler, node: CallNode): Evaluate {
  const nodes = argumentsOf(node);
  const args = nodes.map((each) => compiler.compile(each));
  const [first, second] = args;
  if (first !== undefined && second !== undefined && args.length === 2) {
    const membership = node.name === '@in' ? constantMembership(compiler, nodes, first) : undefined;
    if (membership !== undefined) return membership;
    const operator = binaryOperators[node.name];
    if (operator !== undefined) return binary(node, operator, [first, second]);
  }
  if (first !== undefined && (node.name === '!_' || node.name === '-_')) {
    const operator = node.name === '!_' ? not : negate;
    return (evaluation) => {
      const value = first(evaluation);
      evaluation.cost += 1;
      return operator(value);
    };
  }
  const call = functionCall(node, args);
  return node.overloads?.some(mayTakeLong) ? kept(call) : call;
}

const argumentsOf = (node: CallNode): readonly Node[] =>
  node.target === undefined || node.qualified !== undefined ? node.args : [node.target, ...node.args];

/** `x in [constants]` is looked up in a set, without a cost. */
function constantMembership(
  compiler: NodeCompiler,
  nodes: readonly Node[],
  element: Evaluate,
): Evaluate | undefined {
  const list = nodes[1] === undefined ? undefined : compiler.constant(nodes[1]);
  if (!(list instanceof ListValue)) return undefined;
  if (list.length === 0) return () => false;
  const contains = primitiveSet(list);
  if (contains === undefined) return undefined;
  return (evaluation) => {
    const value = element(evaluation);
    evaluation.work(5);
    return contains(value);
  };
}

function binary(
  node: CallNode,
  operator: BinaryOperator,
  [left, right]: readonly [Evaluate, Evaluate],
): Evaluate {
  const overloads = node.overloads ?? [];
  const only = overloads.length === 1 ? overloads[0] : undefined;
  if (node.name === '_==_' || node.name === '_!=_')
    return kept((evaluation) => {
      const [a, b] = [left(evaluation), right(evaluation)];
      evaluation.begin(equalityCost(a, b, evaluation), 0);
      return operator(a, b, evaluation);
    });
  const cost = only?.cost;
  if (cost === undefined)
    return (evaluation) => {
      const a = left(evaluation);
      const b = right(evaluation);
      evaluation.cost += 1;
      const work = textWork(a, b);
      if (work > 0) evaluation.work(work);
      return operator(a, b, evaluation);
    };
  return kept((evaluation) => {
    const [a, b] = [left(evaluation), right(evaluation)];
    evaluation.begin(cost([a, b], evaluation, null), 0);
    return operator(a, b, evaluation);
  });
}

/** A call whose result is kept in a pause when it takes long. */
function kept(evaluate: Evaluate): Evaluate {
  const step: Step = {};
  return (evaluation) => evaluation.resultOf(step, evaluate);
}

/** Reports whether the cost of a call depends on its arguments. */
const mayTakeLong = ({ cost, work }: Overload): boolean => cost !== undefined || typeof work === 'function';

/** The work of an operator for two strings whose types are not known in advance, so that they are not part of its cost. */
function textWork(a: Value, b: Value): number {
  if (typeof a === 'string') return typeof b === 'string' ? (a.length + b.length) >> 3 : 0;
  return a instanceof Uint8Array && b instanceof Uint8Array ? (a.length + b.length) >> 3 : 0;
}

function functionCall(node: CallNode, args: readonly Evaluate[]): Evaluate {
  const overloads = node.overloads ?? [];
  const [only] = overloads;
  if (only === undefined)
    return () => {
      throw new EvaluationError(`no such overload: ${node.qualified ?? node.name}`);
    };
  const lazy = lazyOptionals.has(only.id)
    ? lazyOptional(args, only.id === 'optional_orValue_value')
    : undefined;
  if (lazy !== undefined) return lazy;
  const values = valuesOf(args);
  if (overloads.length === 1) {
    const call = caller(only, { typed: true });
    return (evaluation) => {
      const found = values(evaluation);
      // Data may be null whatever its type, and an unchecked expression has no types.
      if (!fits(only, found)) throw noSuchOverload();
      return call(found, evaluation);
    };
  }
  const callers = overloads.map((overload) => ({ overload, call: caller(overload, { typed: false }) }));
  return (evaluation) => {
    const found = values(evaluation);
    const match = callers.find(({ overload }) => fits(overload, found));
    if (match === undefined) throw noSuchOverload();
    return match.call(found, evaluation);
  };
}

type Values = (evaluation: Evaluation) => readonly Value[];

function valuesOf(args: readonly Evaluate[]): Values {
  const [first, second] = args;
  if (first !== undefined && args.length === 1) return (evaluation) => [first(evaluation)];
  if (first !== undefined && second !== undefined && args.length === 2)
    return (evaluation) => [first(evaluation), second(evaluation)];
  return (evaluation) => args.map((get) => get(evaluation));
}

const fits = ({ args }: Overload, values: readonly Value[]): boolean => {
  for (let i = 0; i < args.length; i++) {
    const type = args[i];
    if (type === undefined || !hasType(values[i] as Value, type)) return false;
  }
  return true;
};

/**
 * Calls an overload and counts what that costs: before the call where the cost is known then, so that a call beyond the
 * limit does not start.
 */
function caller(overload: Overload, { typed }: { readonly typed: boolean }): Overload['call'] {
  const { call, work = 2, cost, costOfResult = false, costNeedsTypes = false } = overload;
  if (cost === undefined || (costNeedsTypes && !typed))
    return (values, evaluation) => {
      evaluation.begin(1, workOf(work, values) + (cost?.(values, evaluation, null) ?? 0));
      return call(values, evaluation);
    };
  if (costOfResult)
    return (values, evaluation) => {
      evaluation.begin(0, workOf(work, values));
      const result = call(values, evaluation);
      evaluation.spend(cost(values, evaluation, result));
      return result;
    };
  return (values, evaluation) => {
    evaluation.begin(cost(values, evaluation, null), workOf(work, values));
    return call(values, evaluation);
  };
}

const workOf = (work: CallWork, values: readonly Value[]): number =>
  typeof work === 'number' ? work : work(values);

/** `a.or(b)` and `a.orValue(b)` evaluate `b` only when `a` is empty. */
function lazyOptional([first, second]: readonly Evaluate[], unwraps: boolean): Evaluate | undefined {
  if (first === undefined || second === undefined) return undefined;
  return (evaluation) => {
    const value = first(evaluation);
    if (!(value instanceof OptionalValue)) throw noSuchOverload();
    if (value.value === undefined) return second(evaluation);
    return unwraps ? value.value : value;
  };
}
