import type { FieldError, Names } from '@orch/machinery';
import type { CheckContext } from '../schema.ts';

/** Errors beyond this many end the walk: a hostile object could have hundreds of thousands. */
export const maxErrors = 1000;

type Struct = Readonly<Record<string, unknown>>;

/** What a check gets. The path is put together only for the checks that ask for it, which they do when they complain. */
class StructContext implements CheckContext {
  readonly old: Struct | undefined;
  readonly #walk: ValidationWalk;

  constructor(walk: ValidationWalk, old: Struct | undefined) {
    this.#walk = walk;
    this.old = old;
  }

  get path(): string {
    return this.#walk.path;
  }

  get operation(): CheckContext['operation'] {
    return this.#walk.operation;
  }

  get root(): Struct {
    return this.#walk.root;
  }

  get names(): Names {
    return this.#walk.names;
  }
}

/** State of one validation: where it stands, and what it found. */
export class ValidationWalk {
  readonly errors: FieldError[] = [];
  readonly root: Struct;
  readonly operation: CheckContext['operation'];
  readonly names: Names;
  readonly #segments: string[] = [];

  constructor(root: Struct, operation: CheckContext['operation'], names: Names) {
    this.root = root;
    this.operation = operation;
    this.names = names;
  }

  /** Path of the value that is being looked at, in the standard form. */
  get path(): string {
    const joined = this.#segments.join('');
    return joined.startsWith('.') ? joined.slice(1) : joined;
  }

  get full(): boolean {
    return this.errors.length >= maxErrors;
  }

  /** Goes one level down, to `.name`, `[3]` or `[key]`; `leave` comes back. */
  enter(segment: string): void {
    this.#segments.push(segment);
  }

  leave(): void {
    this.#segments.pop();
  }

  report(error: FieldError): void {
    if (!this.full) this.errors.push(error);
  }

  /** What the checks of the struct at the current path get. */
  context(old: Struct | undefined): CheckContext {
    return new StructContext(this, old);
  }
}
