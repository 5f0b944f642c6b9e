import { countCodePoints } from '../values/code-points.ts';
import { CostLimitError } from '../values/evaluation-error.ts';
import { ListValue, MapValue, OpaqueValue, OptionalValue, type Value } from '../values/value.ts';

/** Texts up to this length are counted each time, longer ones beyond ASCII once in an evaluation. */
const SHORT = 64;
/** Longer texts are counted each time: the platform's hash of one is its length, so that lookups of many would take long. */
const MAX_KEPT = 16_000;

/**
 * The state of one evaluation: values of variables, and its cost so far. `cost` is counted by the rules of the API, so
 * that a rule that fits a limit elsewhere fits here. `work` counts what these rules leave out and this engine spends
 * time on. Their sum is limited: it bounds the time for which the evaluation keeps the thread.
 */
export class Evaluation {
  readonly slots: Value[];
  cost = 0;
  #work = 0;
  readonly #limit: number;
  #sizes: Map<string, number> | undefined;

  constructor(slots: Value[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  /** Throws when the limit is exceeded; loops call it in each iteration. */
  check(): void {
    if (this.cost + this.#work > this.#limit) throw new CostLimitError();
  }

  spend(cost: number): void {
    this.cost += cost;
    if (this.cost + this.#work > this.#limit) throw new CostLimitError();
  }

  /** The work so far, in units of about 10 ns. */
  get workDone(): number {
    return this.#work;
  }

  /** Work in units of about 10 ns. */
  work(units: number): void {
    this.#work += units;
    if (this.cost + this.#work > this.#limit) throw new CostLimitError();
  }

  /** Code points of a text. */
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

  /** The size by which the cost of an operation counts; 1 for what has none. */
  sizeOf(value: Value | undefined): number {
    if (typeof value === 'string') return this.lengthOf(value);
    if (typeof value !== 'object' || value === null) return 1;
    if (value instanceof ListValue || value instanceof Uint8Array) return value.length;
    if (value instanceof MapValue || value instanceof OpaqueValue) return value.size;
    return value instanceof OptionalValue && value.value !== undefined ? this.sizeOf(value.value) : 1;
  }
}
