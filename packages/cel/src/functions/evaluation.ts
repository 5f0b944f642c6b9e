import { countCodePoints } from '../values/code-points.ts';
import { CostLimitError, EvaluationError } from '../values/evaluation-error.ts';
import { ListValue, MapValue, OpaqueValue, OptionalValue, type Value } from '../values/value.ts';
import { Frame, pause, type Spent, type Step } from './progress.ts';

/** Strings up to this length are counted each time, longer ones beyond ASCII once in an evaluation. */
const SHORT = 64;
/** Longer strings are counted each time: the platform's hash of one is its length, so that lookups of many would take long. */
const MAX_KEPT = 16_000;

/** Results of nodes that took less of a piece are computed again after a pause. */
const WORTH_KEEPING = 0.01;

/**
 * The state of one evaluation: values of variables, and its cost so far. `cost` is counted by the rules of the API, so
 * that a rule that fits a limit elsewhere fits here. `work` counts what these rules leave out and this engine spends
 * time on, in units of about 10 ns. Their sum is limited: it bounds the time that an evaluation takes.
 *
 * An evaluation in pieces is left at the end of each by `pause`, which loops and calls throw, and repeated with `resume`.
 */
export class Evaluation {
  readonly slots: Value[];
  cost = 0;
  #work = 0;
  readonly #limit: number;
  #sizes: Map<string, number> | undefined;
  /** Frame of the loop that is evaluated, or of the whole expression. */
  frame = new Frame();
  /** Cost and work of a piece; infinite for an evaluation that is not left. */
  readonly #piece: number;
  readonly #worthKeeping: number;
  /** Cost and work at which this piece began, and at which it ends. */
  #began = 0;
  #bound: number;
  /** Cost and work where the evaluation was left. */
  #left = 0;

  constructor(slots: Value[], limit: number, piece = Number.POSITIVE_INFINITY) {
    this.slots = slots;
    this.#limit = limit;
    this.#piece = piece;
    this.#worthKeeping = piece * WORTH_KEEPING;
    this.#bound = Math.min(limit, piece);
  }

  /** Begins the next piece: the evaluation is repeated from its beginning, with the frame. */
  resume(frame: Frame): void {
    this.frame = frame;
    this.cost = 0;
    this.#work = 0;
    this.#began = this.#left;
    this.#bound = Math.min(this.#limit, this.#left + this.#piece);
  }

  /** The work so far. */
  get workDone(): number {
    return this.#work;
  }

  get #total(): number {
    return this.cost + this.#work;
  }

  /** Throws when the limit is exceeded, and at the end of a piece; loops call it after each iteration. */
  check(): void {
    if (this.cost + this.#work > this.#bound) this.#pause(this.#total);
  }

  spend(cost: number): void {
    this.cost += cost;
    if (this.cost + this.#work > this.#bound) this.checkLimit();
  }

  work(units: number): void {
    this.#work += units;
    if (this.cost + this.#work > this.#bound) this.checkLimit();
  }

  /** Counts a call before it begins. Throws when it would exceed the limit, and when it is left to the next piece. */
  begin(cost: number, work: number): void {
    this.cost += cost;
    this.#work += work;
    if (this.cost + this.#work > this.#bound) this.#beginLater(cost + work);
  }

  #beginLater(units: number): void {
    this.checkLimit();
    const before = this.#total - units;
    // The call at which the piece before has ended begins in any case: the evaluation would never end otherwise.
    if (before - this.#began >= this.#worthKeeping) this.#pause(before);
  }

  #pause(at: number): never {
    this.checkLimit();
    this.#left = at;
    throw pause;
  }

  /** Throws when the limit is exceeded. */
  checkLimit(): void {
    if (this.cost + this.#work > this.#limit) throw new CostLimitError();
  }

  /** The cost and work spent so far. */
  get spent(): Spent {
    return { cost: this.cost, work: this.#work };
  }

  /** Continues from a point of the evaluation before a pause. */
  continueFrom({ cost, work }: Spent): void {
    this.cost = cost;
    this.#work = work;
  }

  /** The result of a node, which is kept when it takes long. */
  resultOf(step: Step, evaluate: (evaluation: Evaluation) => Value): Value {
    const { frame } = this;
    const known = frame.resultOf(step);
    if (known !== undefined) {
      this.continueFrom(known);
      if (known.error !== undefined) throw known.error;
      return known.value;
    }
    const before = this.cost + this.#work;
    try {
      const value = evaluate(this);
      if (this.cost + this.#work - before >= this.#worthKeeping) frame.keep(step, { ...this.spent, value });
      return value;
    } catch (error) {
      if (error instanceof EvaluationError && this.#total - before >= this.#worthKeeping)
        frame.keep(step, { ...this.spent, error });
      throw error;
    }
  }

  /** Code points of a string. */
  lengthOf(text: string): number {
    if (text.length <= SHORT) {
      this.#work += text.length >> 4;
      return countCodePoints(text);
    }
    this.work(text.length >> 6);
    if (Buffer.byteLength(text) === text.length) return text.length;
    return text.length > MAX_KEPT ? this.#count(text) : this.#countOnce(text);
  }

  #countOnce(text: string): number {
    this.#sizes ??= new Map();
    const known = this.#sizes.get(text);
    if (known !== undefined) return known;
    const length = this.#count(text);
    this.#sizes.set(text, length);
    return length;
  }

  #count(text: string): number {
    this.work(text.length >> 2);
    return countCodePoints(text);
  }

  /** The size that determines the cost of an operation; 1 for values without a size. */
  sizeOf(value: Value | undefined): number {
    if (typeof value === 'string') return this.lengthOf(value);
    if (typeof value !== 'object' || value === null) return 1;
    if (value instanceof ListValue || value instanceof Uint8Array) return value.length;
    if (value instanceof MapValue || value instanceof OpaqueValue) return value.size;
    return value instanceof OptionalValue && value.value !== undefined ? this.sizeOf(value.value) : 1;
  }
}
