import { patternSize } from '@orch/cel';
import type { Pace } from '@orch/machinery/concurrency';
import { compilePattern } from '@orch/schema';

/**
 * Maximum total size of the programs of all patterns of a definition, in instructions. Published definitions have some
 * hundred.
 */
const MAX_TOTAL_SIZE = 20_000;

/** Maximum total work of parsing them: about 100 ms. */
const MAX_TOTAL_WORK = 60_000;

/** Number of instructions that are parsed in the time of one step. */
const WORK_PER_STEP = 8;

/** Checks the patterns of one definition, each string once, with limited work. */
export class PatternCheck {
  readonly #problems = new Map<string, string | undefined>();
  #size = 0;
  #work = 0;

  /** The problem of a pattern; undefined when it can be used. */
  problemOf(pattern: string, pace: Pace): string | undefined {
    if (this.#problems.has(pattern)) return this.#problems.get(pattern);
    const problem = this.#find(pattern, pace);
    this.#problems.set(pattern, problem);
    return problem;
  }

  #find(pattern: string, pace: Pace): string | undefined {
    const { instructions, work } = patternSize(pattern);
    this.#size += instructions;
    this.#work += work;
    const isFirst = this.#problems.size === 0;
    if (this.#size > MAX_TOTAL_SIZE && !isFirst)
      return `the patterns of this definition would have more than ${MAX_TOTAL_SIZE} instructions in total`;
    if (this.#work > MAX_TOTAL_WORK && !isFirst)
      return `the patterns of this definition would take the work of more than ${MAX_TOTAL_WORK} instructions in total`;
    pace.spend(Math.ceil(work / WORK_PER_STEP));
    const compiled = compilePattern(pattern);
    return typeof compiled === 'string'
      ? `must be a valid regular expression, but isn't: ${compiled}`
      : undefined;
  }
}
