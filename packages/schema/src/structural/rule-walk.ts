import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import type { Budget } from '../pattern/budget.ts';
import { MAX_ERRORS } from '../walk/validation-walk.ts';

/** Path of errors about several schemas; for compatibility it names no field. */
const NO_FIELD = '<nil>';

/** A state of the walk to go back to. */
export interface Mark {
  readonly failures: number;
  readonly errors: number;
}

/**
 * Reports all errors of a value and below it; `old` is its state before an update, or `noPast`. Returns the number of
 * satisfied rules, by which the best matching of several alternatives is chosen: for compatibility, the numbers
 * determine which violations of an `anyOf` are reported.
 */
export type Visit = (value: unknown, old: unknown, walk: RuleWalk) => number;

/** Like `Visit`, of a value with many parts, in pieces. */
export type VisitInPieces = (value: unknown, old: unknown, walk: RuleWalk) => Work<number>;

/** The rules of a schema. */
export interface Rules {
  readonly visit: Visit;
  readonly inPieces: VisitInPieces;
}

export interface RuleWalkOptions {
  readonly typesIntOrString?: boolean;
  /** Of a walk in pieces. */
  readonly pace?: Pace;
}

/** State of one validation: its path, the errors found, and the remaining budget. */
export class RuleWalk {
  readonly budget: Budget;
  readonly #pace: Pace;
  #isDivided = true;
  /** Field of the value that is validated, where it is part of something else. */
  readonly #base: string;
  /** Violations found, whether or not they are still kept. */
  failures = 0;
  readonly #segments: (string | number)[] = [];
  readonly #errors: FieldError[] = [];
  /** Whether a field for an integer or a string has a value of such a type; defaults need not. */
  readonly typesIntOrString: boolean;

  constructor(
    budget: Budget,
    base = '',
    { pace = new Pace(), typesIntOrString = true }: RuleWalkOptions = {},
  ) {
    this.budget = budget;
    this.#pace = pace;
    this.#base = base;
    this.typesIntOrString = typesIntOrString;
  }

  /** Counts one step. Whether a visit in pieces should yield now; a visit at once goes on. */
  isDue(): boolean {
    if (this.#isDivided) return this.#pace.isDue();
    this.#pace.spend(1);
    return false;
  }

  /** Of other work in the visit of the current value. */
  get pace(): Pace {
    return this.#isDivided ? this.#pace : new Pace();
  }

  /** Whether a part of the current value is visited in pieces. */
  divides(part: unknown): boolean {
    return this.#isDivided && hasManyParts(part);
  }

  /** Does a visit at once. */
  undivided(visit: Work<number>): number {
    const was = this.#isDivided;
    this.#isDivided = false;
    const matches = atOnce(visit);
    this.#isDivided = was;
    return matches;
  }

  get isAtRoot(): boolean {
    return this.#segments.length === 0;
  }

  enter(segment: string | number): void {
    this.#segments.push(segment);
  }

  leave(): void {
    this.#segments.pop();
  }

  /** Path of the current value, fields after dots: the path in messages. */
  get path(): string {
    let path = '';
    for (const segment of this.#segments) {
      if (typeof segment === 'number') path += `[${segment}]`;
      else path += path === '' ? segment : `.${segment}`;
    }
    return path;
  }

  /** The field of that value, for errors. */
  get field(): string {
    const { path } = this;
    if (this.#base === '') return path || NO_FIELD;
    return path === '' ? this.#base : `${this.#base}.${path}`;
  }

  report(error: FieldError): void {
    this.failures++;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  /** `problem` continues the path: `in body should be at least 1 chars long`. */
  invalid(value: unknown, problem: string): void {
    this.report(fieldError.invalid(this.field, value, `${this.path} in body ${problem}`));
  }

  wrongType(expected: string, got: string): void {
    const problem = `${this.path} in body must be of type ${expected}: ${JSON.stringify(got)}`;
    this.report(fieldError.typeInvalid(this.field, got, problem));
  }

  /** A violation of a combination of schemas. */
  combination(problem: string): void {
    this.report(fieldError.invalid(this.#base || NO_FIELD, '', `${JSON.stringify(this.path)} ${problem}`));
  }

  /** Violations that are kept. */
  get errorCount(): number {
    return this.#errors.length;
  }

  mark(): Mark {
    return { failures: this.failures, errors: this.#errors.length };
  }

  /** Removes and returns the errors found since the mark. */
  rollback({ failures, errors }: Mark): readonly FieldError[] {
    this.failures = failures;
    return this.#errors.splice(errors);
  }

  /** All violations, each once. */
  errors(): readonly FieldError[] {
    if (this.#errors.length < 2) return [...this.#errors];
    const seen = new Set<string>();
    return this.#errors.filter(({ field, message }) => {
      const key = `${field}\n${message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }
}
