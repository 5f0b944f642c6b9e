import type { Evaluation } from '../functions/evaluation.ts';
import type { ConditionalNode, IdentNode, IndexNode, Node, SelectNode } from '../syntax/ast.ts';
import { numericValue } from '../values/compare.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { JsonObject } from '../values/json-map.ts';
import { typeNameOf } from '../values/type-of.ts';
import { ListValue, MapValue, none, OptionalValue, type Value } from '../values/value.ts';
import type { Evaluate, NodeCompiler } from './node-compiler.ts';

/**
 * Attributes: names with the selections and indices after them, and conditionals of those. One costs 1 as a whole and 1
 * for each selection; a branch of a conditional adds no cost.
 */
type AttributeNode = IdentNode | SelectNode | IndexNode | ConditionalNode;

export const isAttribute = (node: Node): node is AttributeNode =>
  node.kind === 'index' ||
  node.kind === 'conditional' ||
  ((node.kind === 'ident' || node.kind === 'select') && node.constant === undefined);

/** `cost` is that of the attribute as a whole. */
export function compileAttribute(compiler: NodeCompiler, node: AttributeNode, cost: 0 | 1): Evaluate {
  switch (node.kind) {
    case 'ident':
      return variable(node, node.name, cost);
    case 'conditional':
      return conditional(compiler, node);
    case 'index':
      return compileIndex(compiler, node, cost);
    case 'select':
      if (node.variable !== undefined) return variable(node, node.field, cost);
      return select(compiler, node, cost);
  }
}

function variable(node: IdentNode | SelectNode, name: string, cost: 0 | 1): Evaluate {
  const slot = node.variable?.slot;
  if (slot === undefined)
    return () => {
      throw new EvaluationError(`no such attribute(s): ${name}`);
    };
  return (evaluation) => {
    evaluation.cost += cost;
    const value = evaluation.slots[slot];
    if (value === undefined) throw new EvaluationError(`no such attribute(s): ${name}`);
    return value;
  };
}

function operandOf(compiler: NodeCompiler, operand: Node, cost: 0 | 1): Evaluate {
  if (isAttribute(operand)) return compileAttribute(compiler, operand, cost);
  const get = compiler.compile(operand);
  return (evaluation) => {
    const value = get(evaluation);
    evaluation.cost += cost;
    return value;
  };
}

function conditional(compiler: NodeCompiler, node: ConditionalNode): Evaluate {
  const test = compiler.compile(node.test);
  const [yes, no] = [node.yes, node.no].map((each) => operandOf(compiler, each, 0));
  if (yes === undefined || no === undefined) throw new TypeError('a conditional has two branches');
  return (evaluation) => {
    const value = test(evaluation);
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value ? yes(evaluation) : no(evaluation);
  };
}

function select(compiler: NodeCompiler, node: SelectNode, cost: 0 | 1): Evaluate {
  const { field, mode } = node;
  const operand = operandOf(compiler, node.operand, mode === 'test' ? 0 : cost);
  switch (mode) {
    case 'plain':
      return (evaluation) => {
        const target = operand(evaluation);
        evaluation.cost += 1;
        return target instanceof JsonObject ? present(target.field(field), field) : selected(target, field);
      };
    case 'test':
      return (evaluation) => {
        const target = operand(evaluation);
        evaluation.cost += 1;
        return isPresent(target, field);
      };
    case 'optional':
      return (evaluation) => {
        const result = selectedIfPresent(operand(evaluation), field);
        if (result.value !== undefined) evaluation.cost += 1;
        return result;
      };
  }
}

function present(value: Value | undefined, key: string): Value {
  if (value !== undefined) return value;
  throw new EvaluationError(`no such key: ${key}`);
}

function selected(target: Value, field: string): Value {
  if (target instanceof MapValue) return present(target.get(field), field);
  if (target instanceof OptionalValue) return selectedIfPresent(target, field);
  throw new EvaluationError(`no such key: ${field}`);
}

function isPresent(target: Value, field: string): boolean {
  if (target instanceof MapValue) return target.has(field);
  if (target instanceof OptionalValue) return target.value !== undefined && isPresent(target.value, field);
  throw noSuchOverload();
}

function selectedIfPresent(target: Value, key: Value): OptionalValue {
  const inner = target instanceof OptionalValue ? target.value : target;
  if (inner === undefined) return none;
  const found = indexedIfPresent(inner, key);
  return found === undefined ? none : new OptionalValue(found);
}

function compileIndex(compiler: NodeCompiler, node: IndexNode, cost: 0 | 1): Evaluate {
  const operand = operandOf(compiler, node.operand, cost);
  const constant = compiler.constant(node.index);
  const index = constant === undefined ? operandOf(compiler, node.index, 0) : (): Value => constant;
  // Selecting costs 1, save by a conditional.
  const own = constant === undefined && node.index.kind === 'conditional' ? 0 : 1;
  const ifPresent = (target: Value, evaluation: Evaluation): OptionalValue => {
    if (target instanceof OptionalValue && target.value === undefined) return none;
    const result = selectedIfPresent(target, index(evaluation));
    if (result.value !== undefined) evaluation.cost += own;
    return result;
  };
  if (node.optional) return (evaluation) => ifPresent(operand(evaluation), evaluation);
  return (evaluation) => {
    const target = operand(evaluation);
    if (target instanceof OptionalValue) return ifPresent(target, evaluation);
    const key = index(evaluation);
    evaluation.cost += own;
    return indexed(target, key);
  };
}

function indexed(target: Value, key: Value): Value {
  const found = indexedIfPresent(target, key);
  if (found !== undefined) return found;
  throw new EvaluationError(
    target instanceof ListValue ? `index out of bounds: ${keyText(key)}` : `no such key: ${keyText(key)}`,
  );
}

const keyText = (key: Value): string =>
  typeof key === 'string' ? key.slice(0, 200) : String(numericValue(key) ?? typeNameOf(key));

function indexedIfPresent(target: Value, key: Value): Value | undefined {
  if (target instanceof MapValue) return target.get(key);
  if (!(target instanceof ListValue)) throw noSuchOverload();
  const position = typeof key === 'number' ? key : numericValue(key);
  if (position === undefined) throw new EvaluationError(`unsupported index type in list`);
  const index = Number(position);
  if (!Number.isInteger(index)) throw new EvaluationError(`unsupported index value ${index} in list`);
  return index >= 0 && index < target.length ? target.at(index) : undefined;
}
