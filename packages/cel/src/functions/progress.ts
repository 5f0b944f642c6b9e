import type { EvaluationError } from '../values/evaluation-error.ts';
import type { Value } from '../values/value.ts';

/** Thrown through the nodes of an expression to leave an evaluation that continues later. No operator absorbs it. */
export class Pause {}

/** A single instance: it carries no data, and loops over many elements should not create objects. */
export const pause = new Pause();

/** Cost and work of an evaluation at some point. */
export interface Spent {
  readonly cost: number;
  readonly work: number;
}

/** The result of a node, and the budget spent with it. */
export type Completed = Spent &
  (
    | { readonly value: Value; readonly error?: undefined }
    | { readonly value?: undefined; readonly error: EvaluationError }
  );

/** A node with a result that is kept, or with a loop that can be left. */
export type Step = object;

/**
 * The results of an expression, or of one iteration of a loop, before a pause. After the pause it is evaluated from
 * its beginning, except for the steps whose results are kept: expressions have no effects. A node has one result here,
 * since only loops evaluate one repeatedly.
 */
export class Frame {
  #results: Map<Step, Completed> | undefined;
  /** The loop that was left by a pause, and its state. */
  #left: readonly [Step, unknown] | undefined;

  /** Forgets what the iteration before has computed. */
  clear(): void {
    if (this.#results !== undefined) this.#results = undefined;
  }

  keep(step: Step, result: Completed): void {
    this.#results ??= new Map();
    this.#results.set(step, result);
  }

  resultOf(step: Step): Completed | undefined {
    return this.#results === undefined ? undefined : this.#results.get(step);
  }

  leave(step: Step, state: unknown): void {
    this.#left = [step, state];
  }

  /** The state of a loop that was left, once. */
  stateOf(step: Step): unknown {
    if (this.#left === undefined || this.#left[0] !== step) return undefined;
    const [, state] = this.#left;
    this.#left = undefined;
    return state;
  }
}
