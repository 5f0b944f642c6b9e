import type { FoldKind, Node } from './ast.ts';
import { SyntaxIssue } from './syntax-issue.ts';

interface MacroCall {
  readonly at: number;
  readonly name: string;
  readonly target?: Node;
  readonly args: readonly Node[];
}

interface Fold {
  readonly fold: FoldKind;
  /** Number of iteration variables. */
  readonly names: 1 | 2;
}

const folds: Readonly<Record<string, Fold>> = {
  'all/2': { fold: 'all', names: 1 },
  'exists/2': { fold: 'exists', names: 1 },
  'exists_one/2': { fold: 'existsOne', names: 1 },
  'existsOne/2': { fold: 'existsOne', names: 1 },
  'map/2': { fold: 'map', names: 1 },
  'map/3': { fold: 'map', names: 1 },
  'filter/2': { fold: 'filter', names: 1 },
  'sortBy/2': { fold: 'sortBy', names: 1 },
  'all/3': { fold: 'all', names: 2 },
  'exists/3': { fold: 'exists', names: 2 },
  'exists_one/3': { fold: 'existsOne', names: 2 },
  'existsOne/3': { fold: 'existsOne', names: 2 },
  'transformList/3': { fold: 'map', names: 2 },
  'transformList/4': { fold: 'map', names: 2 },
  'transformMap/3': { fold: 'transformMap', names: 2 },
  'transformMap/4': { fold: 'transformMap', names: 2 },
  'transformMapEntry/3': { fold: 'transformMapEntry', names: 2 },
  'transformMapEntry/4': { fold: 'transformMapEntry', names: 2 },
};

/** Macros of the language, and those of libraries. */
export const standardMacros: readonly string[] = [
  'has/1',
  'all/2',
  'exists/2',
  'exists_one/2',
  'map/2',
  'map/3',
  'filter/2',
];
export const twoVariableMacros: readonly string[] = Object.keys(folds).filter(
  (key) => folds[key]?.names === 2,
);
export const optionalMacros: readonly string[] = ['optMap/2', 'optFlatMap/2'];
export const bindingMacros: readonly string[] = ['bind/3'];

/** The expansion of a call of a macro; undefined when the call is not one (a function on a value may have its name). */
export function expandMacro(call: MacroCall): Node | undefined {
  const { at, name, target, args } = call;
  if (target === undefined) return name === 'has' ? presenceTest(at, args[0]) : undefined;
  const [first, second] = args;
  if (first === undefined || second === undefined) return undefined;
  if (name === 'optMap' || name === 'optFlatMap') {
    const variable = variableName(first, 'argument is not an identifier');
    return { kind: 'optionalMap', at, flat: name === 'optFlatMap', target, name: variable, body: second };
  }
  if (name === 'bind') return binding(call, target);
  const fold = folds[`${name}/${args.length}`];
  return fold === undefined ? undefined : foldNode(fold, target, call);
}

function presenceTest(at: number, argument: Node | undefined): Node {
  if (argument?.kind === 'select' && argument.mode !== 'test') return { ...argument, at, mode: 'test' };
  throw new SyntaxIssue(argument?.at ?? at, 'invalid argument to has() macro');
}

/** `bind` is a macro of the namespace `cel` only; on other values it would be a function. */
function binding({ at, args }: MacroCall, target: Node): Node | undefined {
  const [variable, init, body] = args;
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  if (variable === undefined || init === undefined || body === undefined) return undefined;
  const name = variableName(variable, 'cel.bind() variable names must be simple identifiers');
  return { kind: 'bind', at, name, init, body };
}

function foldNode({ fold, names }: Fold, range: Node, { at, name, args }: MacroCall): Node | undefined {
  const message =
    name === 'map' || name === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name';
  const variables = args.slice(0, names).map((each) => variableName(each, message));
  const [only, other] = variables;
  if (only === other && args[1] !== undefined)
    throw new SyntaxIssue(args[1].at, `duplicate variable name: ${only}`);
  const rest = args.slice(names);
  const body = rest.at(-1);
  if (body === undefined) return undefined;
  const [filter] = rest;
  const filtered = rest.length === 2 && filter !== undefined ? { filter } : {};
  return { kind: 'fold', at, fold, range, names: variables, ...filtered, body };
}

function variableName(node: Node, message: string): string {
  if (node.kind !== 'ident' || node.name.startsWith('.')) throw new SyntaxIssue(node.at, message);
  if (node.name === '__result__')
    throw new SyntaxIssue(node.at, 'iteration variable overwrites accumulator variable');
  return node.name;
}
