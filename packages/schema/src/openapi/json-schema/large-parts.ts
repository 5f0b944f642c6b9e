import type { Work } from '@orch/machinery/concurrency';
import type { JsonSchema } from './json-schema.ts';

/** Values that are encoded at once have fewer parts than this: some tenths of a millisecond of work. */
export const SMALL_PARTS = 512;

/** The rest of `count` after the parts of a value are counted; counting ends below 0. */
function afterParts(value: unknown, count: number): number {
  if (typeof value !== 'object' || value === null) return count - 1;
  let left = count - 1;
  for (const name in value) {
    if (left < 0) break;
    left = afterParts((value as Readonly<Record<string, unknown>>)[name], left);
  }
  return left;
}

/** Reports whether the value has so few parts that it may be encoded at once. */
export const isSmall = (value: object): boolean => afterParts(value, SMALL_PARTS) >= 0;

/** The schemas within a schema. */
export function childrenOf(schema: JsonSchema): readonly JsonSchema[] {
  const { additionalProperties, allOf = [], anyOf = [], items, not, oneOf = [], properties = {} } = schema;
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const one = [items, not].filter((child) => child !== undefined);
  return [...Object.values(properties), ...values, ...one, ...allOf, ...anyOf, ...oneOf];
}

/** Visits the schemas within a large schema, of which small ones are not divided further, and the schema last. */
export function* visitParts(schema: JsonSchema, visit: (part: JsonSchema) => void): Work<void> {
  if (!isSmall(schema)) for (const child of childrenOf(schema)) yield* visitParts(child, visit);
  visit(schema);
  yield;
}
