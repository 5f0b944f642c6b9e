import { asList, asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';

/** A field of a schema. */
export interface SchemaField {
  readonly name: string;
  /** `string`, `list of integer`, `map of object`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Limits, defaults and rules in the words of the schema. */
  readonly limits: readonly string[];
  /** Its own fields, or those of its items and values. Made when they are read: schemas may contain themselves. */
  fields(): readonly SchemaField[];
}

/** Finds the schema that a reference names. */
export type Resolve = (reference: string) => JsonObject;

/** Resolves nothing: for schemas without references. */
export const noReferences: Resolve = () => ({});

/** The tree of a schema. */
export const schemaTree = (schema: JsonObject, resolve: Resolve): SchemaField =>
  fieldOf({ name: '', isRequired: false }, schema, resolve);

/** Lists of lists of lists: deeper ones, and lists that contain themselves, are not described. */
const MAX_NESTING = 4;

const limitNames = [
  ...['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties', 'multipleOf', 'uniqueItems', 'nullable', 'default', 'enum'],
] as const;

function fieldOf(
  own: Pick<SchemaField, 'name' | 'isRequired'>,
  given: JsonObject,
  resolve: Resolve,
): SchemaField {
  const schema = resolved(given, resolve);
  return {
    ...own,
    type: typeOf(schema, resolve),
    description: asText(schema['description']),
    limits: limitsOf(schema),
    fields: () => fieldsOf(schema, resolve),
  };
}

function fieldsOf(schema: JsonObject, resolve: Resolve, depth = 0): readonly SchemaField[] {
  const required = asStrings(schema['required']);
  const inner = innerOf(schema, resolve);
  const own = Object.entries(asObject(schema['properties'])).map(([name, value]) =>
    fieldOf({ name, isRequired: required.includes(name) }, asObject(value), resolve),
  );
  return inner === undefined || depth > MAX_NESTING ? own : [...own, ...fieldsOf(inner, resolve, depth + 1)];
}

/** A schema with what its reference names; documents add a description or a default to references. */
function resolved(schema: JsonObject, resolve: Resolve): JsonObject {
  const [only, ...more] = asObjects(schema['allOf']);
  const reference = asText(schema['$ref']) || (more.length === 0 ? asText(only?.['$ref']) : '');
  return reference === '' ? schema : { ...resolve(reference), ...schema };
}

/** The schema of the items of a list, or of the values of a map. */
function innerOf(schema: JsonObject, resolve: Resolve): JsonObject | undefined {
  const inner = asObject(schema['items'] ?? schema['additionalProperties']);
  return Object.keys(inner).length === 0 ? undefined : resolved(inner, resolve);
}

function typeOf(schema: JsonObject, resolve: Resolve, depth = 0): string {
  const type = asText(schema['type']);
  const inner = innerOf(schema, resolve);
  if (inner === undefined || depth > MAX_NESTING) return type || 'any';
  return `${type === 'array' ? 'list' : 'map'} of ${typeOf(inner, resolve, depth + 1)}`;
}

function limitsOf(schema: JsonObject): readonly string[] {
  const plain = limitNames.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name}: ${JSON.stringify(schema[name])}`],
  );
  const rules = Object.entries(schema)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [...plain, ...rules, ...asList(schema['anyOf']).map((each) => `anyOf: ${JSON.stringify(each)}`)];
}
