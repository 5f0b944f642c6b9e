import { MAX_PATTERN_SIZE, patternSize } from '@orch/cel';
import { RE2JS, RE2JSException } from 're2js';
import type { Budget } from './budget.ts';

/** A regular expression that takes time in proportion to the length of the text, whatever it is. */
export interface Pattern {
  /** Whether some part of the text matches. What it may cost is taken from the budget before anything is done. */
  matches(text: string, budget: Budget): boolean;
}

/** Reads an expression in the syntax of RE2; answers what is wrong with it. Larger ones than any honest one are refused. */
export function compilePattern(text: string): Pattern | string {
  const estimate = patternSize(text);
  if (estimate > MAX_PATTERN_SIZE)
    return `its program would have about ${estimate} instructions, more than ${MAX_PATTERN_SIZE}`;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    // The reader of the library recurses: nesting that is too deep for it is no pattern either.
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
  const size = compiled.programSize();
  return {
    matches(value, budget) {
      budget.spend((value.length + 1) * size);
      return compiled.matcher(value).find();
    },
  };
}
