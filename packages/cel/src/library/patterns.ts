import { RE2JS, RE2JSException } from 're2js';
import type { Evaluation } from '../functions/evaluation.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { MAX_PATTERN_SIZE, patternSize } from './text/pattern-size.ts';

/** Longest pattern; a longer one would take too long to compile. */
const MAX_PATTERN = 10_000;
const MAX_KEPT = 256;

/** A regular expression of RE2: matching takes time in proportion to the text. */
export interface Pattern {
  readonly compiled: RE2JS;
  readonly size: number;
}

/** What is wrong with a pattern; undefined when it can be used. */
export function patternProblem(text: string): string | undefined {
  const result = compile(text);
  return typeof result === 'string' ? result : undefined;
}

function compile(text: string): Pattern | string {
  if (text.length > MAX_PATTERN) return `pattern exceeds ${MAX_PATTERN} characters`;
  if (patternSize(text) > MAX_PATTERN_SIZE) return `pattern exceeds ${MAX_PATTERN_SIZE} instructions`;
  try {
    const compiled = RE2JS.compile(text);
    return { compiled, size: compiled.programSize() };
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    // The reader of the library recurses: nesting that is too deep for it is no pattern either.
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
}

/** Compiles patterns, and keeps those used last: most are constants of rules. */
export class Patterns {
  readonly #kept = new Map<string, Pattern>();

  /** Accounts for what a match with a text of this length may take. */
  use(text: string, length: number, evaluation: Evaluation): RE2JS {
    const { compiled, size } = this.#get(text, evaluation);
    evaluation.work(Math.ceil(((length + 1) * Math.min(size, 400)) / 7));
    return compiled;
  }

  #get(text: string, evaluation: Evaluation): Pattern {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // Reading a pattern takes about 1.5 µs for each instruction of its program.
    evaluation.work(2000 + Math.min(patternSize(text), MAX_PATTERN_SIZE) * 150);
    const pattern = compile(text);
    if (typeof pattern === 'string') throw new EvaluationError(`invalid regular expression: ${pattern}`);
    if (this.#kept.size >= MAX_KEPT) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(text, pattern);
    return pattern;
  }
}
