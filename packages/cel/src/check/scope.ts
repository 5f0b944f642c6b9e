import type { Variable } from '../syntax/variable.ts';

/** The variables that a part of an expression can use; those of inner scopes hide outer ones of the same name. */
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
