import { excessOf, patternSize, patternTest } from '@orch/cel';
import { RE2JSException } from 're2js';
import type { Budget } from './budget.ts';

/** A regular expression that takes time linear in the length of any text. */
export interface Pattern {
  /** Reports whether some part of the text matches. The maximum cost is taken from the budget in advance. */
  matches(text: string, budget: Budget): boolean;
}

/** Memory for the states of one pattern. A schema may have hundreds of patterns, most of which need a few KiB. */
const STATES_BYTES = 128 * 1024;

/** Reads an expression in the syntax of RE2; returns a problem for an invalid one. Excessively large ones are refused. */
export function compilePattern(text: string): Pattern | string {
  const excess = excessOf(patternSize(text));
  if (excess !== undefined) return excess;
  let compiled: ReturnType<typeof patternTest>;
  try {
    compiled = patternTest(text, STATES_BYTES);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    // The reader of the library recurses: nesting that is too deep for it is not a pattern either.
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
  const { size, test } = compiled;
  return {
    matches(value, budget) {
      budget.spend((value.length + 1) * size);
      return test(value);
    },
  };
}
