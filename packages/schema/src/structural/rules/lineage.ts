import type { StructuralSchema } from '../../structural-schema.ts';
import { isUnchanged, noPast } from '../correlation.ts';

/**
 * Whether an update changed a value. A value that had no counterpart before is unchanged when the value around it is: the
 * item of a list that is one value.
 */
export class Lineage {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #schema: StructuralSchema;
  #isUnchanged: boolean | undefined;

  constructor(value: unknown, old: unknown, schema: StructuralSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Compared on first use. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= isUnchanged(this.#value, this.#old, this.#schema);
    return this.#isUnchanged;
  }

  below(value: unknown, old: unknown, schema: StructuralSchema): Lineage {
    return old === noPast ? this : new Lineage(value, old, schema);
  }
}
