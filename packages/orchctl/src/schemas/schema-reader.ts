import { asObject, asObjects, asStrings, asText, type JsonObject, objectAt } from '@orch/machinery/json';

/** Reads the schemas of an OpenAPI document, of version 3 or 2. */
export class SchemaReader {
  readonly #schemas: JsonObject;

  constructor(document: JsonObject) {
    this.#schemas =
      document['swagger'] === undefined
        ? objectAt(document, 'components', 'schemas')
        : objectAt(document, 'definitions');
  }

  /** The schema of a kind; `extension` is the field with the kinds of a schema. */
  ofKind(
    kind: { readonly group: string; readonly version: string; readonly kind: string },
    extension: string,
  ): JsonObject | undefined {
    return Object.values(this.#schemas)
      .map(asObject)
      .find((schema) =>
        asObjects(schema[extension]).some(
          (one) =>
            asText(one['group']) === kind.group &&
            one['version'] === kind.version &&
            one['kind'] === kind.kind,
        ),
      );
  }

  /** The schema that a field refers to, directly or as `allOf`; otherwise the schema of the field. */
  resolved(schema: JsonObject): JsonObject {
    const name = referenceOf(schema);
    return name === '' ? schema : asObject(this.#schemas[name]);
  }

  /** The schema of the objects in a field: of items of lists, and of values of maps. */
  content(schema: JsonObject): JsonObject {
    const own = this.resolved(schema);
    const inner = own['items'] ?? own['additionalProperties'];
    return typeof inner === 'object' && inner !== null ? this.content(asObject(inner)) : own;
  }

  /** The fields of the objects in a field by name, in alphabetical order. */
  properties(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
    const own = this.resolved(schema);
    const isMap = typeof own['additionalProperties'] === 'object' && own['properties'] === undefined;
    if (isMap && this.#isText(own['additionalProperties'])) return [];
    return Object.entries(objectAt(this.content(schema), 'properties'))
      .map(([name, value]) => [name, asObject(value)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  isRequired(schema: JsonObject, name: string): boolean {
    return asStrings(this.content(schema)['required']).includes(name);
  }

  /** The type for users: `string`, `[]Container`, `map[string]Quantity`. */
  typeText(schema: JsonObject): string {
    const name = referenceOf(schema);
    if (name !== '') {
      const type = asText(this.resolved(schema)['type']);
      return type === '' || type === 'object' ? (name.split('.').at(-1) ?? name) : type;
    }
    if (schema['items'] !== undefined) return `[]${this.typeText(asObject(schema['items']))}`;
    const values = schema['additionalProperties'];
    if (typeof values === 'object' && values !== null) return `map[string]${this.typeText(asObject(values))}`;
    const type = asText(schema['type']);
    return type === '' || type === 'object' ? 'Object' : type;
  }

  /** The descriptions of a field, and of the schema that it refers to. */
  descriptions(schema: JsonObject): readonly string[] {
    const own = asText(schema['description']);
    const name = referenceOf(schema);
    const inner = name === '' ? (schema['items'] ?? schema['additionalProperties']) : this.#schemas[name];
    const more = typeof inner === 'object' && inner !== null ? this.descriptions(asObject(inner)) : [];
    return own === '' ? more : [own, ...more];
  }

  enumTexts(schema: JsonObject): readonly string[] {
    const values = this.resolved(schema)['enum'];
    return Array.isArray(values) ? values.map((value) => (value === '' ? '""' : String(value))) : [];
  }

  #isText(schema: unknown): boolean {
    return asText(this.resolved(asObject(schema))['type']) === 'string';
  }
}

/** The name of the schema that another one refers to; empty when there is none. */
function referenceOf(schema: JsonObject): string {
  const [only] = asObjects(schema['allOf']);
  const reference = asText(schema['$ref']) || asText(only?.['$ref']);
  return reference.slice(reference.lastIndexOf('/') + 1);
}
