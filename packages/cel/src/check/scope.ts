import type { DeclType } from '../decl/decl-type.ts';
import type { CelType } from '../types/type.ts';

/** A name with a value at run time, in a slot of the evaluation. */
export interface Variable {
  readonly name: string;
  readonly slot: number;
  readonly type: CelType;
  /** Of variables that are given from outside. */
  readonly decl?: DeclType;
}

/** The variables in reach of a part of an expression; those of inner scopes hide those of the same name outside. */
export class Scope {
  readonly #variables = new Map<string, Variable>();
  readonly #parent: Scope | undefined;
  constructor(parent?: Scope) {
    this.#parent = parent;
  }
  add(variable: Variable): void {
    this.#variables.set(variable.name, variable);
  }
  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#parent?.find(name);
  }
  outermost(): Scope {
    return this.#parent?.outermost() ?? this;
  }
}
