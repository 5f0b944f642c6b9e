import {
  type FieldError,
  isJsonObject,
  type JsonObject,
  MAX_FIELD_ERRORS,
  type Names,
} from '@orch/machinery';

/** Fields of schemas whose names carry that of the product. */
export interface SchemaKeys {
  readonly preserveUnknownFields: string;
  readonly embeddedResource: string;
  readonly intOrString: string;
  readonly listMapKeys: string;
  readonly listType: string;
  readonly mapType: string;
  readonly validations: string;
}

/** Which rules are applied. */
export interface SchemaDuties {
  readonly knownTypes: boolean;
  readonly mayHaveDefaults: boolean;
}

/** What a look at a schema collects, and by which rules it looks. */
export class SchemaContext {
  readonly errors: FieldError[] = [];
  readonly keys: SchemaKeys;
  readonly duties: SchemaDuties;

  constructor({ schemaExtensions }: Names, duties: SchemaDuties) {
    this.keys = schemaExtensions;
    this.duties = duties;
  }

  /** Enough was found to stop looking. */
  get full(): boolean {
    return this.errors.length >= MAX_FIELD_ERRORS;
  }

  report(error: FieldError): void {
    if (!this.full) this.errors.push(error);
  }
}

/** A schema within another one, by the field that holds it. */
export interface ChildSchema {
  readonly path: string;
  readonly schema: JsonObject;
  readonly of: 'properties' | 'items' | 'additionalProperties' | 'combination' | 'other';
  /** Name of the property. */
  readonly name?: string;
}

const inList = (schema: JsonObject, path: string, field: string, of: ChildSchema['of']): ChildSchema[] =>
  Array.isArray(schema[field])
    ? schema[field].flatMap((child: unknown, i) =>
        isJsonObject(child) ? [{ path: `${path}.${field}[${i}]`, schema: child, of }] : [],
      )
    : [];

const inMap = (schema: JsonObject, path: string, field: string, of: ChildSchema['of']): ChildSchema[] =>
  isJsonObject(schema[field])
    ? Object.entries(schema[field]).flatMap(([name, child]) =>
        isJsonObject(child) ? [{ path: `${path}.${field}[${name}]`, schema: child, of, name }] : [],
      )
    : [];

const single = (schema: JsonObject, path: string, field: string, of: ChildSchema['of']): ChildSchema[] =>
  isJsonObject(schema[field]) ? [{ path: `${path}.${field}`, schema: schema[field], of }] : [];

/** The schemas directly within a schema, in the order in which they are reported on. */
export const childSchemas = (schema: JsonObject, path: string): readonly ChildSchema[] => [
  ...single(schema, path, 'additionalProperties', 'additionalProperties'),
  ...inMap(schema, path, 'properties', 'properties'),
  ...inMap(schema, path, 'patternProperties', 'other'),
  ...single(schema, path, 'additionalItems', 'other'),
  ...single(schema, path, 'not', 'combination'),
  ...inList(schema, path, 'allOf', 'combination'),
  ...inList(schema, path, 'anyOf', 'combination'),
  ...inList(schema, path, 'oneOf', 'combination'),
  ...single(schema, path, 'items', 'items'),
  ...inList(schema, path, 'items', 'items'),
  ...inMap(schema, path, 'definitions', 'other'),
  ...inMap(schema, path, 'dependencies', 'other'),
];
