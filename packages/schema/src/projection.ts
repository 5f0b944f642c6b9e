import type { Schema } from './schema.ts';

/** An output made from a schema. A new kind of output is one new file with one of these. */
export interface Projection<P> {
  readonly name: string;
  build(schema: Schema): P;
}

/** Builds a projection of each schema at most once, for as long as the schema lives. */
export function memoised<P>({ build }: Projection<P>): (schema: Schema) => P {
  const built = new WeakMap<Schema, { readonly value: P }>();
  return (schema) => {
    let entry = built.get(schema);
    if (entry === undefined) {
      entry = { value: build(schema) };
      built.set(schema, entry);
    }
    return entry.value;
  };
}
