import type { Node } from './ast.ts';
import { SyntaxIssue } from './syntax-issue.ts';

/** Most nodes on a way from the root to a leaf: what walks the tree recurses. */
const MAX_HEIGHT = 500;

/** The parts of a node in the order of the source. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [node.operand];
    case 'index':
      return [node.operand, node.index];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'logical':
      return node.terms;
    case 'conditional':
      return [node.test, node.yes, node.no];
    case 'list':
      return node.elements.map(({ value }) => value);
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'fold':
      return node.filter === undefined ? [node.range, node.body] : [node.range, node.filter, node.body];
    case 'optionalMap':
      return [node.target, node.body];
    case 'bind':
      return [node.init, node.body];
  }
}

/** Refuses a tree that is too high for the recursion of checker, estimator and evaluator. */
export function checkHeight(root: Node): void {
  let level: readonly Node[] = [root];
  for (let height = 1; level.length > 0; height++) {
    if (height > MAX_HEIGHT)
      throw new SyntaxIssue(level[0]?.at ?? 0, `expression recursion limit exceeded: ${MAX_HEIGHT}`);
    level = level.flatMap(childrenOf);
  }
}
