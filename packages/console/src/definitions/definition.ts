import type { ApiObject } from '@orch/machinery';
import {
  asList,
  asObject,
  asObjects,
  asStrings,
  asText,
  type JsonObject,
  specOf,
  statusOf,
} from '@orch/machinery/json';

/** A version of a custom resource. */
export interface DefinedVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly isDeprecated: boolean;
  readonly schema: SchemaField;
}

/** What a definition of a custom resource says, for people. */
export interface Definition {
  readonly versions: readonly DefinedVersion[];
  /** Versions in which objects may be stored. */
  readonly storedVersions: readonly string[];
  /** How objects are converted between versions. */
  readonly conversion: string;
}

/** A field of a schema. */
export interface SchemaField {
  /** `[]` for the items of a list, `*` for the values of a map. */
  readonly name: string;
  /** `string`, `list of integer`, `map of object`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Limits, defaults and rules in the words of the schema. */
  readonly limits: readonly string[];
  readonly fields: readonly SchemaField[];
}

export function definitionOf(object: ApiObject): Definition {
  const spec = specOf(object);
  const conversion = asObject(spec['conversion']);
  const client = asObject(asObject(conversion['webhook'])['clientConfig']);
  const service = asObject(client['service']);
  const target = asText(client['url']) || `${asText(service['namespace'])}/${asText(service['name'])}`;
  return {
    versions: asObjects(spec['versions']).map((each) => ({
      name: asText(each['name']),
      isServed: each['served'] === true,
      isStored: each['storage'] === true,
      isDeprecated: each['deprecated'] === true,
      schema: fieldOf('', asObject(asObject(each['schema'])['openAPIV3Schema']), false),
    })),
    storedVersions: asStrings(statusOf(object)['storedVersions']),
    conversion:
      conversion['strategy'] === 'Webhook' ? `by the webhook ${target}` : 'only the version changes',
  };
}

const limitNames = [
  ...['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties', 'multipleOf', 'uniqueItems', 'nullable', 'default', 'enum'],
] as const;

function fieldOf(name: string, schema: JsonObject, isRequired: boolean): SchemaField {
  const required = asStrings(schema['required']);
  const inner = innerOf(schema);
  const properties = Object.entries(asObject(schema['properties'])).map(([each, value]) =>
    fieldOf(each, asObject(value), required.includes(each)),
  );
  return {
    ...{ name, isRequired, type: typeOf(schema), description: asText(schema['description']) },
    limits: limitsOf(schema),
    // A list or map of plain values has no parts of its own.
    fields: inner === undefined ? properties : [...properties, ...fieldOf('', inner, false).fields],
  };
}

/** The schema of the items of a list, or of the values of a map. */
function innerOf(schema: JsonObject): JsonObject | undefined {
  const inner = asObject(schema['items'] ?? schema['additionalProperties']);
  return Object.keys(inner).length === 0 ? undefined : inner;
}

function typeOf(schema: JsonObject): string {
  const type = asText(schema['type']);
  const inner = innerOf(schema);
  if (inner === undefined) return type || 'any';
  return `${type === 'array' ? 'list' : 'map'} of ${typeOf(inner)}`;
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
