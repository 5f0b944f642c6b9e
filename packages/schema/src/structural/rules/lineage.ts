import type { Pace, Work } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import type { StructuralSchema } from '../../structural-schema.ts';
import { comparingWithPast, isUnchanged, noPast } from '../correlation.ts';

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

  /** Whether the value is unchanged, compared on first use, in pieces where it has many parts. */
  *comparing(pace: Pace): Work<boolean> {
    const [value, old] = [this.#value, this.#old];
    this.#isUnchanged ??= hasManyParts(value)
      ? yield* comparingWithPast([value, old], this.#schema, pace)
      : isUnchanged(value, old, this.#schema);
    return this.#isUnchanged;
  }

  below(value: unknown, old: unknown, schema: StructuralSchema): Lineage {
    return old === noPast ? this : new Lineage(value, old, schema);
  }
}
