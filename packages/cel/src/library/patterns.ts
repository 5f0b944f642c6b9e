import { RE2JS, RE2JSException, RE2Set } from 're2js';
import type { Evaluation } from '../functions/evaluation.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { StatesMemory } from './states-memory.ts';
import { MAX_PATTERN_SIZE, patternSize } from './text/pattern-size.ts';

/** Longest pattern; a longer one would take too long to compile. */
const MAX_PATTERN = 10_000;
const MAX_KEPT = 256;

/** Memory for the states of one compiled test: beyond it, a text is matched without them. */
const TEST_STATES_BYTES = 256 * 1024;

/** Memory for the states of all tests of the process together. */
const statesMemory = new StatesMemory(64 * 1024 * 1024);

/** A regular expression of RE2: matching takes time in proportion to the text. */
interface Sized {
  /** Instructions of its program. */
  readonly size: number;
}

/** Finds the parts of a text that match. */
export interface Search extends Sized {
  readonly compiled: RE2JS;
}

/**
 * Says whether some part of a text matches, ten to a thousand times as fast as a search does: states of the automaton are
 * determined once, and kept.
 */
export interface Test extends Sized {
  test(text: string): boolean;
}

/** What is wrong with a pattern; undefined when it can be used. */
export function patternProblem(text: string): string | undefined {
  const result = compiled(text, searchOf);
  return typeof result === 'string' ? result : undefined;
}

export function searchOf(text: string): Search {
  const compiled = RE2JS.compile(text);
  return { compiled, size: compiled.programSize() };
}

/** Compiles a test whose states take at most so many bytes. Throws what `RE2JS.compile` throws. */
export function testOf(text: string, statesBytes = TEST_STATES_BYTES, memory = statesMemory): Test {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, statesBytes);
  set.add(text);
  set.compile();
  const matched = memory.account(set.dfa);
  return {
    size: set.prog.numInst(),
    test(value) {
      const matches = set.match(value).length > 0;
      matched();
      return matches;
    },
  };
}

function compiled<T>(text: string, compile: (text: string) => T): T | string {
  if (text.length > MAX_PATTERN) return `pattern exceeds ${MAX_PATTERN} characters`;
  if (patternSize(text) > MAX_PATTERN_SIZE) return `pattern exceeds ${MAX_PATTERN_SIZE} instructions`;
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    // The reader of the library recurses: nesting that is too deep for it is no pattern either.
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
}

/** Work of matching a text of this length, in units for each character and instruction. */
export const matchWork = (length: number, size: number, units: number): number =>
  Math.ceil((length + 1) * Math.min(size, 400) * units);

/** Compiles patterns, and keeps those used last: most are constants of rules. */
export class Patterns<T extends object> {
  readonly #kept = new Map<string, T>();
  readonly #compile: (text: string) => T;

  constructor(compile: (text: string) => T) {
    this.#compile = compile;
  }

  get(text: string, evaluation: Evaluation): T {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // Reading a pattern takes about 1.5 µs for each instruction of its program.
    evaluation.work(2000 + Math.min(patternSize(text), MAX_PATTERN_SIZE) * 150);
    const pattern = compiled(text, this.#compile);
    if (typeof pattern === 'string') throw new EvaluationError(`invalid regular expression: ${pattern}`);
    if (this.#kept.size >= MAX_KEPT) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(text, pattern);
    return pattern;
  }
}
