import { BoundedCache } from '@orch/machinery/bounded-cache';
import { RE2JS, RE2JSException } from 're2js';
import type { Evaluation } from '../../functions/evaluation.ts';
import { EvaluationError } from '../../values/evaluation-error.ts';
import { excessOf, MAX_PATTERN_WORK, patternSize } from '../text/pattern-size.ts';

/** Maximum length of a pattern; a longer one would take too long to compile. */
const MAX_PATTERN = 10_000;
const MAX_KEPT = 256;

/** The problem of a pattern; undefined when it can be used. */
export function patternProblem(text: string): string | undefined {
  const result = compiled(text, RE2JS.compile);
  return typeof result === 'string' ? result : undefined;
}

function compiled<T>(text: string, compile: (text: string) => T): T | string {
  if (text.length > MAX_PATTERN) return `pattern exceeds ${MAX_PATTERN} characters`;
  const excess = excessOf(patternSize(text));
  if (excess !== undefined) return excess;
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    // The reader of the library recurses: nesting that is too deep for it is not a pattern either.
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
}

/** Compiles patterns, and keeps those used last: most are constants of rules. */
export class Patterns<T extends object> {
  readonly #kept = new BoundedCache<string, T>({ maxEntries: MAX_KEPT, leastRecentlyUsed: true });
  readonly #compile: (text: string) => T;

  constructor(compile: (text: string) => T) {
    this.#compile = compile;
  }

  get(text: string, evaluation: Evaluation): T {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // Reading a pattern takes about 1.5 µs for each instruction of its work.
    evaluation.begin(0, 2000 + Math.min(patternSize(text).work, MAX_PATTERN_WORK) * 150);
    const pattern = compiled(text, this.#compile);
    if (typeof pattern === 'string') throw new EvaluationError(`invalid regular expression: ${pattern}`);
    this.#kept.set(text, pattern);
    return pattern;
  }
}
