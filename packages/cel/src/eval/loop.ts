import type { Evaluation } from '../functions/evaluation.ts';
import { Frame, Pause, type Spent, type Step } from '../functions/progress.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import type { Evaluate } from './node-compiler.ts';

/** A macro over the elements of a list or map. `S` is its accumulated state. */
export interface Loop<S> {
  begin(evaluation: Evaluation, range: Value): S;
  /** Handles the element in the iteration variables; false ends the loop. Changes the state only when all is evaluated. */
  step(state: S, evaluation: Evaluation): boolean;
  end(state: S, evaluation: Evaluation, range: Value): Value;
}

/** The elements of a loop, and the slots of its iteration variables. */
export interface LoopRange {
  readonly range: Evaluate;
  readonly slots: readonly number[];
}

/** A loop that is evaluated: a pause leaves it, and it continues from there when the evaluation is repeated. */
class Run<S> {
  readonly range: Value;
  readonly state: S;
  readonly frame = new Frame();
  /** The keys of a map; undefined for a list. */
  readonly #keys: readonly Value[] | undefined;
  readonly #length: number;
  #next = 0;
  /** The cost and work spent before the next element. */
  #spent: Spent | undefined;

  constructor(range: Value, state: S, evaluation: Evaluation) {
    this.range = range;
    this.state = state;
    if (range instanceof ListValue) {
      this.#length = range.length;
      return;
    }
    if (!(range instanceof MapValue))
      throw new EvaluationError('expression is not a list or map to iterate over');
    evaluation.work(range.size);
    this.#keys = range.keys();
    this.#length = this.#keys.length;
  }

  /** Sets the iteration variables for each of the elements that are left and takes the step. */
  iterate(loop: Loop<S>, slots: readonly number[], evaluation: Evaluation): void {
    if (this.#spent !== undefined) evaluation.continueFrom(this.#spent);
    const { frame, state } = this;
    const { length } = slots;
    let i = this.#next;
    let { cost, workDone: work } = evaluation;
    try {
      while (i < this.#length) {
        this.#set(i, slots, length, evaluation);
        if (!loop.step(state, evaluation)) return;
        frame.clear();
        i += 1;
        cost = evaluation.cost;
        work = evaluation.workDone;
        evaluation.check();
      }
    } catch (error) {
      if (error instanceof Pause) {
        this.#next = i;
        this.#spent = { cost, work };
      }
      throw error;
    }
  }

  #set(i: number, slots: readonly number[], count: number, evaluation: Evaluation): void {
    const values = evaluation.slots;
    const [first = 0, second = 0] = slots;
    if (this.#keys === undefined) {
      const element = (this.range as ListValue).at(i);
      if (count > 1) {
        values[first] = i;
        values[second] = element;
      } else values[first] = element;
      return;
    }
    const key = this.#keys[i] as Value;
    values[first] = key;
    if (count > 1) values[second] = (this.range as MapValue).get(key) ?? null;
  }
}

/** Compiles a loop, which may be left by a pause after each element. */
export function compileLoop<S>({ range, slots }: LoopRange, loop: Loop<S>): Evaluate {
  const step: Step = {};
  const evaluate = (evaluation: Evaluation): Value => {
    const outer = evaluation.frame;
    const run = (outer.stateOf(step) as Run<S> | undefined) ?? begin(evaluation);
    evaluation.frame = run.frame;
    try {
      run.iterate(loop, slots, evaluation);
    } catch (error) {
      if (error instanceof Pause) outer.leave(step, run);
      throw error;
    } finally {
      evaluation.frame = outer;
    }
    return loop.end(run.state, evaluation, run.range);
  };
  const begin = (evaluation: Evaluation): Run<S> => {
    const values = range(evaluation);
    return new Run(values, loop.begin(evaluation, values), evaluation);
  };
  return (evaluation) => evaluation.resultOf(step, evaluate);
}
