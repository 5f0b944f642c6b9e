import type { Schema } from './schema.ts';

/** An output made from a schema. A new kind of output is one new file with one of these. */
export interface Projection<P, S extends Schema = Schema> {
  readonly name: string;
  build(schema: S): P;
}

/** Builds a projection of each schema at most once, and keeps it until the schema is garbage collected. */
export function memoised<P, S extends Schema = Schema>({ build }: Projection<P, S>): (schema: S) => P {
  const built = new WeakMap<S, { readonly value: P }>();
  return (schema) => {
    let entry = built.get(schema);
    if (entry === undefined) {
      entry = { value: build(schema) };
      built.set(schema, entry);
    }
    return entry.value;
  };
}
