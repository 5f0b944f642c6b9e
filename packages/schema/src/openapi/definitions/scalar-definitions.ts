import type { ScalarType } from '../../schema.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';

/** Canonical schema names of scalars with a separate definition. */
export const namedScalars: Partial<Record<ScalarType, string>> = {
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'meta.v1.Time',
  microTime: 'meta.v1.MicroTime',
  duration: 'meta.v1.Duration',
};

export const inlineScalars: Readonly<Record<ScalarType, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  object: { type: 'object' },
  json: {},
};

const docs: Partial<Record<ScalarType, string>> = {
  quantity: 'A number with an optional unit: 500m, 2Gi, 1.5, 10k.',
  intOrString: 'A whole number, or a string such as a name or a percentage.',
  time: 'A point in time in RFC 3339, to the second.',
  microTime: 'A point in time in RFC 3339, to the microsecond.',
  duration: 'A span of time such as 1h30m or 500ms.',
};

/** Scalars that may be numbers or strings: version 3 has keywords for that. */
const eitherSchema: Partial<Record<ScalarType, JsonSchema>> = {
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

/** The definition of a scalar that has one. */
export function scalarDefinition(type: ScalarType, dialect: 'v2' | 'v3'): JsonSchema {
  const shape = dialect === 'v3' ? (eitherSchema[type] ?? inlineScalars[type]) : inlineScalars[type];
  return { description: docs[type] ?? '', ...shape };
}
