import type { Outcome } from './outcome.ts';
import type { Program, Unfinished } from './program.ts';

/** Evaluates one program after another, each in pieces. */
export class Piecewise {
  #unfinished: Unfinished | undefined;

  /**
   * Evaluates the next piece. Undefined when it must be called again with the same arguments. After an error that is thrown, the
   * evaluation begins again.
   */
  next(program: Program, values: Readonly<Record<string, unknown>>): Outcome | undefined {
    const left = this.#unfinished;
    this.#unfinished = undefined;
    const outcome = left === undefined ? program.begin(values) : left.continue();
    if (outcome.kind !== 'unfinished') return outcome;
    this.#unfinished = outcome;
    return undefined;
  }
}
