import type { ElementNode, Node } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/height.ts';
import { CelSyntaxError, type Issue } from '../syntax/source.ts';
import { equalTypes } from '../types/equal.ts';
import { type CelType, dyn, formatType, optionalOf } from '../types/type.ts';

/** Functions whose argument may be a list of anything. */
const exempt = 'format';

/** Reports lists and maps whose parts are of different types. Throws a CelSyntaxError. */
export function checkHomogeneous(source: string, root: Node): void {
  const issues = [...mixedLiterals(root)];
  if (issues.length > 0) throw new CelSyntaxError(source, issues);
}

function* mixedLiterals(node: Node): Generator<Issue> {
  if (node.kind === 'call' && node.name === exempt) return;
  if (node.kind === 'list') yield* firstMismatch(node.elements);
  if (node.kind === 'map') {
    yield* firstMismatch(node.entries.map(({ key }) => ({ value: key, optional: false })));
    yield* firstMismatch(node.entries);
  }
  for (const child of childrenOf(node)) yield* mixedLiterals(child);
}

function typeOf({ value, optional }: ElementNode): CelType {
  const type = value.type ?? dyn;
  return optional ? (optionalOf(type) ?? type) : type;
}

function* firstMismatch(elements: readonly ElementNode[]): Generator<Issue> {
  const [first] = elements;
  if (first === undefined) return;
  const expected = typeOf(first);
  const other = elements.find((element) => !equalTypes(expected, typeOf(element)));
  if (other === undefined) return;
  const message = `expected type '${formatType(expected)}' but found '${formatType(typeOf(other))}'`;
  yield { at: other.value.at, message };
}
