import type { FieldError, Names } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, type JsonObject } from '@orch/machinery/json';
import type { CheckContext, PostponedChecks } from '../schema.ts';

/** Errors beyond this many end the walk: a malicious object could have hundreds of thousands. */
export const MAX_ERRORS = 1000;

export interface ValidationWalkOptions
  extends Pick<CheckContext, 'operation' | 'names' | 'since' | 'postponed'> {
  /** The parts of large values are postponed. */
  readonly isDivided?: boolean | undefined;
}

/** Visits one part of a value. */
type VisitPart = (index: number, walk: ValidationWalk) => void;

/** State of one validation: its path, and the errors found. */
export class ValidationWalk {
  readonly errors: FieldError[] = [];
  readonly root: JsonObject;
  readonly operation: CheckContext['operation'];
  readonly names: Names;
  readonly since: CheckContext['since'];
  readonly #postponed: PostponedChecks | undefined;
  readonly #isDivided: boolean;
  #path = '';

  constructor(root: JsonObject, options: ValidationWalkOptions) {
    const { operation, names, since, postponed, isDivided = false } = options;
    this.root = root;
    this.operation = operation;
    this.names = names;
    this.since = since;
    this.#postponed = postponed;
    this.#isDivided = isDivided && postponed !== undefined;
  }

  /** Path of the current value, in the standard form. */
  get path(): string {
    return this.#path;
  }

  get full(): boolean {
    return this.errors.length >= MAX_ERRORS;
  }

  /**
   * Descends one level, to `.name`, `[3]` or `[key]`; `leave` takes the result and ascends. The engine copies concatenated
   * strings only when they are read, so that paths cost little when there are no errors.
   */
  enter(segment: string): string {
    const outer = this.#path;
    this.#path = outer === '' && segment.startsWith('.') ? segment.slice(1) : outer + segment;
    return outer;
  }

  leave(outer: string): void {
    this.#path = outer;
  }

  report(error: FieldError): void {
    if (!this.full) this.errors.push(error);
  }

  /** Whether the parts of a value are visited later, in pieces: `postpone`. */
  divides(value: unknown): boolean {
    return this.#isDivided && hasManyParts(value);
  }

  /** Visits the parts of the value at the current path later. */
  postpone(parts: number, visit: VisitPart): void {
    const { root, operation, names, since } = this;
    const own: PostponedChecks = [];
    const walk = new ValidationWalk(root, { operation, names, since, postponed: own, isDivided: true });
    walk.#path = this.#path;
    this.#postponed?.push(walk.#visited(parts, visit, own));
  }

  *#visited(parts: number, visit: VisitPart, postponed: PostponedChecks): Work<readonly FieldError[]> {
    const pace = new Pace();
    for (let i = 0; i < parts && !this.full; i++) {
      if (pace.isDue()) yield;
      visit(i, this);
      for (const check of postponed.splice(0)) for (const error of yield* check) this.report(error);
    }
    return this.errors;
  }

  /** The context for the checks of the struct at the current path. */
  context(old: JsonObject | undefined): CheckContext {
    const { root, operation, names, since } = this;
    const [postponed, isDivided] = [this.#postponed, this.#isDivided];
    return { path: this.#path, old, operation, root, names, since, postponed, isDivided };
  }
}
