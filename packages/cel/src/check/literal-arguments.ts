import { patternProblem } from '../library/patterns/patterns.ts';
import { MAX_PATTERN_WORK, patternSize } from '../library/text/pattern-size.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/height.ts';
import { CelSyntaxError, type Issue } from '../syntax/source.ts';
import { readDuration, readTimestamp } from '../values/time.ts';

/** Maximum total work of the distinct patterns of an expression: parsing them takes about 75 ms. */
const MAX_PATTERN_SIZES = 50_000;

/** Checks a string of a certain form. Returns the problem; undefined when the string is valid. */
type Check = (text: string) => string | undefined;

/** Checks the patterns of one expression, each once. */
class PatternCheck {
  readonly #known = new Map<string, string | undefined>();
  #size = 0;

  /** The pattern is the last argument of a function of this name. */
  problem(name: string, text: string): string | undefined {
    if (!this.#known.has(text)) this.#known.set(text, this.#read(text));
    const problem = this.#known.get(text);
    return problem === undefined ? undefined : `invalid ${name} argument${problem}`;
  }

  #read(text: string): string | undefined {
    this.#size += Math.min(patternSize(text).work, MAX_PATTERN_WORK);
    if (this.#size > MAX_PATTERN_SIZES)
      return `: the patterns of the expression exceed ${MAX_PATTERN_SIZES} instructions`;
    return patternProblem(text) === undefined ? undefined : '';
  }
}

/** Functions that take a string of a certain form as their last argument. */
function checksOf(patterns: PatternCheck): ReadonlyMap<string, Check> {
  return new Map<string, Check>([
    ['duration', (text) => (readDuration(text) === undefined ? 'invalid duration argument' : undefined)],
    ['timestamp', (text) => (readTimestamp(text) === undefined ? 'invalid timestamp argument' : undefined)],
    ['matches', (text) => patterns.problem('matches', text)],
    ['find', (text) => patterns.problem('find', text)],
  ]);
}

/** Reports literal durations, timestamps and patterns that no evaluation could use. Throws a CelSyntaxError. */
export function checkLiterals(source: string, root: Node): void {
  const issues = [...literalIssues(root, checksOf(new PatternCheck()))];
  if (issues.length > 0) throw new CelSyntaxError(source, issues);
}

function* literalIssues(node: Node, checks: ReadonlyMap<string, Check>): Generator<Issue> {
  if (node.kind === 'call') {
    const issue = callIssue(node, checks);
    if (issue !== undefined) yield issue;
  }
  for (const child of childrenOf(node)) yield* literalIssues(child, checks);
}

function callIssue({ name, args }: CallNode, checks: ReadonlyMap<string, Check>): Issue | undefined {
  const last = args.at(-1);
  if (last?.kind !== 'literal' || typeof last.value !== 'string') return undefined;
  const message = checks.get(name)?.(last.value);
  return message === undefined ? undefined : { at: last.at, message };
}
