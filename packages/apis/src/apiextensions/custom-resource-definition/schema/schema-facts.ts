import { Pace, type Work } from '@orch/machinery/concurrency';
import { asText, type JsonObject } from '@orch/machinery/json';
import { childSchemas } from './schema-context.ts';

const types: ReadonlySet<string> = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);

/** Reports whether a condition holds for a schema or for one within it. */
export function* someSchema(
  schema: JsonObject,
  holds: (schema: JsonObject) => boolean,
  pace = new Pace(),
): Work<boolean> {
  if (pace.isDue()) yield;
  if (holds(schema)) return true;
  for (const child of childSchemas(schema, '')) if (yield* someSchema(child.schema, holds, pace)) return true;
  return false;
}

/** Reports whether a condition holds for any of the schemas, or for one within them. */
export function* someOf(
  schemas: readonly JsonObject[],
  holds: (schema: JsonObject) => boolean,
): Work<boolean> {
  for (const schema of schemas) if (yield* someSchema(schema, holds)) return true;
  return false;
}

export const hasDefault = (schema: JsonObject): boolean => schema['default'] !== undefined;

export const hasUnknownType = (schema: JsonObject): boolean => !types.has(asText(schema['type']));
