import type { CelType } from '../types/type.ts';
import { MapValue, type Value } from '../values/value.ts';

/** The type of the variable `variables`: a field for each variable that is declared before the expression. */
export const variablesType = (fields: ReadonlyMap<string, CelType>): CelType => ({
  kind: 'object',
  name: 'kubernetes.variables',
  fields: { fieldType: (name) => fields.get(name) },
});

/** The variable `variables`: each of its fields is evaluated when it is first read. */
export class LazyVariables extends MapValue {
  readonly #evaluate: (name: string) => Value;
  readonly #names: ReadonlySet<string>;

  /** `evaluate` returns the value of one of `names`. It is called for each read; it may throw an `EvaluationError`. */
  constructor(names: ReadonlySet<string>, evaluate: (name: string) => Value) {
    super();
    this.#names = names;
    this.#evaluate = evaluate;
  }
  get size(): number {
    return this.#names.size;
  }
  get(key: Value): Value | undefined {
    return this.has(key) ? this.#evaluate(key as string) : undefined;
  }
  has(key: Value): boolean {
    return typeof key === 'string' && this.#names.has(key);
  }
  keys(): readonly string[] {
    return [...this.#names];
  }
}
