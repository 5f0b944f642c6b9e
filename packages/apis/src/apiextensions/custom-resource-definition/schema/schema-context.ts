import {
  type FieldError,
  isJsonObject,
  type JsonObject,
  MAX_FIELD_ERRORS,
  type Names,
} from '@orch/machinery';

import type { PatternCheck } from './pattern-check.ts';

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
  /** Undefined when patterns are not looked at. */
  readonly patterns: PatternCheck | undefined;

  constructor({ schemaExtensions }: Names, duties: SchemaDuties, patterns?: PatternCheck) {
    this.keys = schemaExtensions;
    this.duties = duties;
    this.patterns = patterns;
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

/** Fields that contain schemas, in the order in which they are reported on. */
const containers: readonly (readonly [field: string, of: ChildSchema['of'], form: 'one' | 'list' | 'map'])[] =
  [
    ['additionalProperties', 'additionalProperties', 'one'],
    ['properties', 'properties', 'map'],
    ['patternProperties', 'other', 'map'],
    ['additionalItems', 'other', 'one'],
    ['not', 'combination', 'one'],
    ['allOf', 'combination', 'list'],
    ['anyOf', 'combination', 'list'],
    ['oneOf', 'combination', 'list'],
    ['items', 'items', 'one'],
    ['items', 'items', 'list'],
    ['definitions', 'other', 'map'],
    ['dependencies', 'other', 'map'],
  ];
const containerNames: ReadonlySet<string> = new Set(containers.map(([field]) => field));
const none: readonly ChildSchema[] = [];

/** Most schemas are those of scalars. */
export function hasChildren(schema: JsonObject): boolean {
  for (const field of Object.keys(schema)) if (containerNames.has(field)) return true;
  return false;
}

/** The schemas directly within a schema, in the order in which they are reported on. */
export function childSchemas(schema: JsonObject, path: string): readonly ChildSchema[] {
  if (!hasChildren(schema)) return none;
  const children: ChildSchema[] = [];
  for (const [field, of, form] of containers) {
    const value = schema[field];
    if (form === 'list') {
      if (!Array.isArray(value)) continue;
      for (const [i, child] of value.entries())
        if (isJsonObject(child)) children.push({ path: `${path}.${field}[${i}]`, schema: child, of });
    } else if (!isJsonObject(value)) {
    } else if (form === 'one') children.push({ path: `${path}.${field}`, schema: value, of });
    else {
      for (const name of Object.keys(value)) {
        const child = value[name];
        if (isJsonObject(child))
          children.push({ path: `${path}.${field}[${name}]`, schema: child, of, name });
      }
    }
  }
  return children;
}
