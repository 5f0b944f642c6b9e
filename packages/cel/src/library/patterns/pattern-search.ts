import { RE2JS } from 're2js';
import type { WorkMeter } from '../../values/equality.ts';

/** Work of a search, however short the text. */
const SEARCH_BASE = 30;

/** Work for each character and instruction: a search follows all possible matches at once. */
const SEARCH_UNITS = 1.2;

/** For short strings, it follows one after the other: work for each character that is looked at, and instruction. */
const BACKTRACKING_UNITS = 2;

/** A search in a short string marks the visited states; there are no marks for larger products of text and program. */
const MOST_MARKS = 262_144;
const MARKS_PER_UNIT = 2048;

/** Counts the work of a search before it begins, and while it lasts. */
export interface SearchMeter extends WorkMeter {
  begin(cost: number, work: number): void;
}

/** The engine of the library, as far as it is used here. */
interface Engine {
  prefilter: unknown;
  executeEngine(input: Input, ...rest: unknown[]): unknown;
}

/** A string while the engine scans it. */
interface Input {
  step(position: number): number;
}

/** Finds the parts of a string that match a pattern of RE2. */
export class PatternSearch {
  /** Instructions of the program. */
  readonly size: number;
  readonly #compiled: RE2JS;
  #looked: (() => void) | undefined;

  /** Throws the errors of the library for an invalid pattern. */
  constructor(pattern: string) {
    this.#compiled = RE2JS.compile(pattern);
    this.size = this.#compiled.programSize();
    this.#observe(this.#compiled.re2() as unknown as Engine);
  }

  /**
   * Returns the next match at each call; undefined when there is none. A match may only be known at the end of the
   * text, for each start position: the meter counts one pass in advance, and the characters examined beyond it.
   */
  matches(text: string, meter: SearchMeter): () => string | undefined {
    const { size } = this;
    const once = SEARCH_BASE + Math.ceil((text.length + 1) * size * SEARCH_UNITS);
    const marks = (text.length + 1) * size;
    const again = SEARCH_BASE + Math.ceil(Math.min(marks, MOST_MARKS) / MARKS_PER_UNIT);
    const perLook = size * (marks <= MOST_MARKS ? BACKTRACKING_UNITS : SEARCH_UNITS);
    meter.begin(0, once);
    let left = once;
    const looked = (): void => {
      left -= perLook;
      if (left < 0) meter.work(perLook);
    };
    const matcher = this.#compiled.matcher(text);
    return () => {
      this.#looked = looked;
      try {
        if (!matcher.find()) return undefined;
      } finally {
        this.#looked = undefined;
      }
      meter.work(again);
      return matcher.group() ?? '';
    };
  }

  #observe(engine: Engine): void {
    // It looks for literals in all of the text before each match, which is not counted.
    engine.prefilter = null;
    const looked = (): void => this.#looked?.();
    const execute = engine.executeEngine.bind(engine);
    // A single function for all strings: the runtime optimizes calls of it.
    let observed: Input['step'] | undefined;
    engine.executeEngine = (input, ...rest) => {
      observed ??= observedStep(input.step, looked);
      input.step = observed;
      return execute(input, ...rest);
    };
  }
}

function observedStep(step: Input['step'], looked: () => void): Input['step'] {
  return function (this: Input, position) {
    looked();
    return step.call(this, position);
  };
}
