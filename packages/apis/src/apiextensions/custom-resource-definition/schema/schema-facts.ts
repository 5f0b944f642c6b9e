import { asText, type JsonObject } from '@orch/machinery';
import { childSchemas } from './schema-context.ts';

const types: ReadonlySet<string> = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);

/** Whether something holds for a schema or for one within it. */
export const someSchema = (schema: JsonObject, holds: (schema: JsonObject) => boolean): boolean =>
  holds(schema) || childSchemas(schema, '').some((child) => someSchema(child.schema, holds));

export const hasDefault = (schema: JsonObject): boolean => schema['default'] !== undefined;

export const hasUnknownType = (schema: JsonObject): boolean => !types.has(asText(schema['type']));
