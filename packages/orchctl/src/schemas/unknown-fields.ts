import { asObject, type JsonObject } from '@orch/machinery/json';
import type { SchemaReader } from './schema-reader.ts';

/** The schemas to compare an object with. */
export interface FieldSchemas {
  readonly reader: SchemaReader;
  /** The extension of schemas whose objects may have any fields. */
  readonly anyFields: string;
}

/** The paths of fields that a schema does not have: `spec.containers[0].imge`. */
export function unknownFields(
  value: unknown,
  schema: JsonObject,
  schemas: FieldSchemas,
  path = '',
): readonly string[] {
  const own = schemas.reader.resolved(schema);
  if (own[schemas.anyFields] === true || schema[schemas.anyFields] === true) return [];
  if (Array.isArray(value)) {
    const items = asObject(own['items']);
    return value.flatMap((item, i) => unknownFields(item, items, schemas, `${path}[${i}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return fieldsUnknownIn(Object.entries(value), own, schemas, path === '' ? '' : `${path}.`);
}

function fieldsUnknownIn(
  fields: readonly (readonly [string, unknown])[],
  { properties, additionalProperties }: JsonObject,
  schemas: FieldSchemas,
  prefix: string,
): readonly string[] {
  // A schema without fields permits all of them.
  if (properties === undefined && additionalProperties === undefined) return [];
  const known = asObject(properties);
  return fields.flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (Object.hasOwn(known, name)) return unknownFields(value, asObject(known[name]), schemas, path);
    if (additionalProperties === true) return [];
    return additionalProperties === undefined || additionalProperties === false
      ? [path]
      : unknownFields(value, asObject(additionalProperties), schemas, path);
  });
}
