import type { Overload } from '../library/function.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { ListValue, OptionalValue, type Value } from '../values/value.ts';
import { equalityCost, lazyOptionals } from './call-costs.ts';
import type { Compiler, Evaluate } from './compiler.ts';
import type { Evaluation } from './evaluation.ts';
import { EvaluationError, noSuchOverload } from './evaluation-error.ts';
import { hasType } from './has-type.ts';
import { type BinaryOperator, binaryOperators, negate, not } from './operators.ts';
import { primitiveSet } from './primitive-set.ts';

/** Compiles a call of an operator or function. */
export function compileCall(compiler: Compiler, node: CallNode): Evaluate {
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
  return functionCall(node, args);
}

const argumentsOf = (node: CallNode): readonly Node[] =>
  node.target === undefined || node.qualified !== undefined ? node.args : [node.target, ...node.args];

/** `x in [constants]` is looked up in a set, without a cost. */
function constantMembership(
  compiler: Compiler,
  nodes: readonly Node[],
  element: Evaluate,
): Evaluate | undefined {
  const list = nodes[1] === undefined ? undefined : compiler.constant(nodes[1]);
  if (!(list instanceof ListValue)) return undefined;
  if (list.length === 0) return () => false;
  const contains = primitiveSet(list);
  return contains === undefined ? undefined : (evaluation) => contains(element(evaluation));
}

function binary(
  node: CallNode,
  operator: BinaryOperator,
  [left, right]: readonly [Evaluate, Evaluate],
): Evaluate {
  const overloads = node.overloads ?? [];
  const only = overloads.length === 1 ? overloads[0] : undefined;
  if (node.name === '_==_' || node.name === '_!=_')
    return (evaluation) => {
      const [a, b] = [left(evaluation), right(evaluation)];
      evaluation.spend(equalityCost(a, b, evaluation));
      return operator(a, b, evaluation);
    };
  const cost = only?.cost;
  if (cost === undefined)
    return (evaluation) => {
      const a = left(evaluation);
      const b = right(evaluation);
      evaluation.cost += 1;
      return operator(a, b, evaluation);
    };
  return (evaluation) => {
    const [a, b] = [left(evaluation), right(evaluation)];
    evaluation.spend(cost([a, b], evaluation, null));
    return operator(a, b, evaluation);
  };
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
  if (overloads.length === 1) return singleCall(only, args);
  return (evaluation) => {
    const values = args.map((get) => get(evaluation));
    const overload = overloads.find((each) => fits(each, values));
    if (overload === undefined) throw noSuchOverload();
    return invoke(overload, values, { evaluation, typed: false });
  };
}

/** Types of arguments that an unchecked or dynamic expression has are found here. */
function singleCall(overload: Overload, args: readonly Evaluate[]): Evaluate {
  return (evaluation) => {
    const values = args.map((get) => get(evaluation));
    if (!fits(overload, values)) throw noSuchOverload();
    return invoke(overload, values, { evaluation, typed: true });
  };
}

const fits = ({ args }: Overload, values: readonly Value[]): boolean => {
  for (let i = 0; i < args.length; i++) {
    const type = args[i];
    if (type === undefined || !hasType(values[i] as Value, type)) return false;
  }
  return true;
};

function invoke(
  overload: Overload,
  values: readonly Value[],
  { evaluation, typed }: { readonly evaluation: Evaluation; readonly typed: boolean },
): Value {
  const { cost } = overload;
  evaluation.work(overload.work ?? 2);
  // Costs are of inputs for the most part: what cannot be paid is not begun.
  if (cost !== undefined && cost.length < 3 && (typed || overload.costNeedsTypes !== true)) {
    evaluation.spend(cost(values, evaluation, null));
    return overload.call(values, evaluation);
  }
  const result = overload.call(values, evaluation);
  const counted = cost !== undefined && (typed || overload.costNeedsTypes !== true);
  evaluation.spend(counted ? cost(values, evaluation, result) : 1);
  return result;
}

/** `a.or(b)` and `a.orValue(b)` ask for `b` when `a` is empty only. */
function lazyOptional([first, second]: readonly Evaluate[], unwraps: boolean): Evaluate | undefined {
  if (first === undefined || second === undefined) return undefined;
  return (evaluation) => {
    const value = first(evaluation);
    if (!(value instanceof OptionalValue)) throw noSuchOverload();
    if (value.value === undefined) return second(evaluation);
    return unwraps ? value.value : value;
  };
}
