import type { FieldError, Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { CheckContext, PostponedChecks } from '../schema.ts';

/** Errors beyond this many end the walk: a malicious object could have hundreds of thousands. */
export const MAX_ERRORS = 1000;

/** State of one validation: its path, and the errors found. */
export class ValidationWalk {
  readonly errors: FieldError[] = [];
  readonly root: JsonObject;
  readonly operation: CheckContext['operation'];
  readonly names: Names;
  readonly #postponed: PostponedChecks | undefined;
  #path = '';

  constructor(
    root: JsonObject,
    { operation, names, postponed }: Pick<CheckContext, 'operation' | 'names' | 'postponed'>,
  ) {
    this.root = root;
    this.operation = operation;
    this.names = names;
    this.#postponed = postponed;
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

  /** The context for the checks of the struct at the current path. */
  context(old: JsonObject | undefined): CheckContext {
    const { root, operation, names } = this;
    return { path: this.#path, old, operation, root, names, postponed: this.#postponed };
  }
}
