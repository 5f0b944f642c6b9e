import { patternProblem } from '../library/patterns.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/height.ts';
import { CelSyntaxError, type Issue } from '../syntax/source.ts';
import { readDuration, readTimestamp } from '../values/time.ts';

/** Functions that take a text of a certain form, with the position of that argument from the end. */
const problems: Readonly<Record<string, (text: string) => string | undefined>> = {
  duration: (text) => (readDuration(text) === undefined ? 'invalid duration argument' : undefined),
  timestamp: (text) => (readTimestamp(text) === undefined ? 'invalid timestamp argument' : undefined),
  matches: (text) => (patternProblem(text) === undefined ? undefined : 'invalid matches argument'),
  find: (text) => (patternProblem(text) === undefined ? undefined : 'invalid find argument'),
};

/** Reports literal durations, timestamps and patterns that no evaluation could use. Throws a CelSyntaxError. */
export function checkLiterals(source: string, root: Node): void {
  const issues = [...literalIssues(root)];
  if (issues.length > 0) throw new CelSyntaxError(source, issues);
}

function* literalIssues(node: Node): Generator<Issue> {
  if (node.kind === 'call') {
    const issue = callIssue(node);
    if (issue !== undefined) yield issue;
  }
  for (const child of childrenOf(node)) yield* literalIssues(child);
}

function callIssue({ name, args }: CallNode): Issue | undefined {
  const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
  const last = args.at(-1);
  if (problem === undefined || last?.kind !== 'literal' || typeof last.value !== 'string') return undefined;
  const message = problem(last.value);
  return message === undefined ? undefined : { at: last.at, message };
}
