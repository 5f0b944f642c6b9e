import type { Evaluation } from '../functions/evaluation.ts';
import type { Node } from '../syntax/ast.ts';
import type { Value } from '../values/value.ts';

/** A compiled node: computes its value and adds what that costs. Throws an EvaluationError. */
export type Evaluate = (evaluation: Evaluation) => Value;

/** Compiles the parts of a node, for the files that compile one kind of node each. */
export interface NodeCompiler {
  compile(node: Node): Evaluate;
  /** The value of a node that is the same in every evaluation; undefined for others, and where it is an error. */
  constant(node: Node): Value | undefined;
}
