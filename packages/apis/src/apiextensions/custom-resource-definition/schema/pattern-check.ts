import { patternSize } from '@orch/cel';
import { compilePattern } from '@orch/schema';

/** Greatest sum of the programs of all patterns of a definition, in instructions. Published definitions have some hundred. */
const MAX_TOTAL_SIZE = 20_000;

/** Checks the patterns of one definition, each text once, with limited work. */
export class PatternCheck {
  readonly #problems = new Map<string, string | undefined>();
  #size = 0;

  /** What is wrong with a pattern; undefined when it can be used. */
  problemOf(pattern: string): string | undefined {
    if (this.#problems.has(pattern)) return this.#problems.get(pattern);
    const problem = this.#find(pattern);
    this.#problems.set(pattern, problem);
    return problem;
  }

  #find(pattern: string): string | undefined {
    this.#size += patternSize(pattern);
    if (this.#size > MAX_TOTAL_SIZE && this.#problems.size > 0)
      return `the patterns of this definition would have more than ${MAX_TOTAL_SIZE} instructions in total`;
    const compiled = compilePattern(pattern);
    return typeof compiled === 'string'
      ? `must be a valid regular expression, but isn't: ${compiled}`
      : undefined;
  }
}
