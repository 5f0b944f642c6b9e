import type { Names } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { Dialect, JsonSchema } from '../json-schema/json-schema.ts';
import { SMALL_PARTS } from '../json-schema/large-parts.ts';

/** Properties that every object of the API has, as the document describes them. */
export type TypeProperties = Readonly<Record<string, JsonSchema>>;

/** Keywords that are copied as they are, in both versions. */
const copied = [
  'title',
  'description',
  'type',
  'format',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'enum',
  'default',
] as const;
/** Approximate number of keywords of schemas. */
const KEYWORDS_OF_SCHEMA = 4;
const combinations = ['allOf', 'anyOf', 'oneOf'] as const;
const intOrStringTypes: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];

/** Leaves out keywords without effect: clients do not expect an empty list or `false`. */
const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

const isNullable = (schema: unknown): boolean => isJsonObject(schema) && schema['nullable'] === true;

/** Writes schemas of custom kinds in one version of the documents, in pieces: a schema may have megabytes. */
export class CustomDefinitions {
  readonly #dialect: Dialect;
  readonly #keys: Names['schemaExtensions'];
  readonly #typeProperties: TypeProperties;
  readonly #pace = new Pace();
  #parts = 0;

  constructor(dialect: Dialect, names: Names, typeProperties: TypeProperties) {
    this.#dialect = dialect;
    this.#keys = names.schemaExtensions;
    this.#typeProperties = typeProperties;
  }

  /**
   * The definition of a kind from its `openAPIV3Schema`; undefined when it has none, or one that is not structural. Where
   * everything is preserved, version 2 has neither properties nor keywords: its readers would refuse all others.
   */
  *root(schema: JsonObject | undefined): Work<JsonSchema> {
    const preserves = schema === undefined || schema[this.#keys.preserveUnknownFields] === true;
    if (schema === undefined || (preserves && this.#dialect === 'v2')) {
      const description = schema?.['description'];
      return {
        ...(typeof description === 'string' && description !== '' ? { description } : {}),
        type: 'object',
      };
    }
    const definition = yield* this.#schema(schema);
    return { ...definition, properties: sorted({ ...definition.properties, ...this.#typeProperties }) };
  }

  /** Whether the written value has so few parts that it may be encoded at once. */
  get isSmall(): boolean {
    return this.#parts < SMALL_PARTS;
  }

  *#schema(schema: JsonObject): Work<JsonSchema> {
    if (this.#pace.isDue()) yield;
    this.#parts += KEYWORDS_OF_SCHEMA + (Array.isArray(schema['enum']) ? schema['enum'].length : 0);
    const keywords: Record<string, unknown> = {};
    for (const keyword of copied) if (isSet(schema[keyword])) keywords[keyword] = schema[keyword];
    if (schema['default'] === false) keywords['default'] = false;
    for (const keyword of ['maximum', 'minimum'] as const) if (schema[keyword] === 0) keywords[keyword] = 0;
    Object.assign(keywords, this.#extensions(schema), yield* this.#structure(schema));
    if (this.#dialect === 'v3') Object.assign(keywords, yield* this.#combinations(schema));
    else this.#simplify(keywords, schema);
    return this.#withTypeProperties(keywords as JsonSchema, schema);
  }

  #extensions(schema: JsonObject): JsonSchema {
    const { embeddedResource, intOrString, listMapKeys, listType, mapType } = this.#keys;
    const { preserveUnknownFields, validations } = this.#keys;
    const all = [
      preserveUnknownFields,
      embeddedResource,
      intOrString,
      listMapKeys,
      listType,
      mapType,
      validations,
    ];
    const keywords = all.filter((key) => isSet(schema[key])).map((key) => [key, schema[key]] as const);
    return Object.fromEntries(keywords);
  }

  *#structure({ additionalProperties, items, properties, required }: JsonObject): Work<JsonSchema> {
    const parts: JsonSchema = {};
    if (isJsonObject(items)) parts.items = yield* this.#schema(items);
    if (isJsonObject(properties) && Object.keys(properties).length > 0) {
      const fields: [name: string, property: JsonSchema][] = [];
      for (const [name, property] of Object.entries(properties))
        fields.push([name, isJsonObject(property) ? yield* this.#schema(property) : {}]);
      parts.properties = sorted(Object.fromEntries(fields));
    }
    if (typeof additionalProperties === 'boolean') parts.additionalProperties = additionalProperties;
    else if (isJsonObject(additionalProperties))
      parts.additionalProperties = yield* this.#schema(additionalProperties);
    if (Array.isArray(required) && required.length > 0) parts.required = required as readonly string[];
    return parts;
  }

  *#combinations(schema: JsonObject): Work<JsonSchema> {
    const keywords: JsonSchema = {};
    for (const keyword of combinations) {
      const parts: unknown = schema[keyword];
      if (!Array.isArray(parts) || parts.length === 0) continue;
      const schemas: JsonSchema[] = [];
      for (const part of parts.filter(isJsonObject)) schemas.push(yield* this.#schema(part));
      keywords[keyword] = schemas;
    }
    if (isJsonObject(schema['not'])) keywords.not = yield* this.#schema(schema['not']);
    if (schema['nullable'] === true) keywords.nullable = true;
    const isEither = schema[this.#keys.intOrString] === true;
    return isEither && keywords.anyOf === undefined && keywords.allOf === undefined
      ? { ...keywords, anyOf: intOrStringTypes }
      : keywords;
  }

  /** Version 2 has no keyword for null and for untyped fields: clients accept only a less specific schema. */
  #simplify(keywords: Record<string, unknown>, schema: JsonObject): void {
    const preserves = schema[this.#keys.preserveUnknownFields] === true;
    const nullable = schema['nullable'] === true;
    if (nullable) delete keywords['type'];
    if (nullable || preserves) {
      delete keywords['items'];
      delete keywords['properties'];
    }
    if (keywords['type'] === 'array' && keywords['items'] === undefined) delete keywords['type'];
    if (keywords['type'] === 'object' && preserves) delete keywords['type'];
    const required = this.#requiredIn(schema);
    if (required.length === 0) delete keywords['required'];
    else keywords['required'] = required;
  }

  /** Fields that clients must send; those that may be null can be left out. */
  #requiredIn({ additionalProperties, properties, required }: JsonObject): readonly unknown[] {
    if (!Array.isArray(required) || isNullable(additionalProperties)) return [];
    if (!isJsonObject(properties)) return required;
    return required.filter((name) => !Object.hasOwn(properties, name) || !isNullable(properties[name]));
  }

  /** An object of the API within another one has a type and metadata, whether or not its schema declares them. */
  #withTypeProperties(keywords: JsonSchema, schema: JsonObject): JsonSchema {
    if (schema[this.#keys.embeddedResource] !== true) return keywords;
    if (this.#dialect === 'v2' && schema[this.#keys.preserveUnknownFields] === true) return keywords;
    const required = new Set([...(keywords.required ?? []), 'kind', 'apiVersion']);
    return {
      ...keywords,
      properties: sorted({ ...keywords.properties, ...this.#typeProperties }),
      required: [...required],
    };
  }
}

const sorted = (properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
