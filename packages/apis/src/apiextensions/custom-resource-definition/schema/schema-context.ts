import { type FieldError, MAX_FIELD_ERRORS, type Names } from '@orch/machinery';
import { Pace } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { PatternCheck } from './pattern-check.ts';

/** Fields of schemas whose names contain the product name. */
export interface SchemaKeys {
  readonly preserveUnknownFields: string;
  readonly embeddedResource: string;
  readonly intOrString: string;
  readonly listMapKeys: string;
  readonly listType: string;
  readonly mapType: string;
  readonly validations: string;
}

/** The rules that are applied. */
export interface SchemaOptions {
  readonly knownTypes: boolean;
  readonly allowsDefaults: boolean;
}

/** State of one check of a schema: the errors found so far, and the applicable rules. */
export class SchemaContext {
  readonly errors: FieldError[] = [];
  readonly keys: SchemaKeys;
  readonly options: SchemaOptions;
  /** Undefined when patterns are not checked. */
  readonly patterns: PatternCheck | undefined;
  /** Bounds the work of the check. */
  readonly pace = new Pace();

  constructor({ schemaExtensions }: Names, options: SchemaOptions, patterns?: PatternCheck) {
    this.keys = schemaExtensions;
    this.options = options;
    this.patterns = patterns;
  }

  /** Enough errors were found to stop. */
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

type Container = readonly [field: string, of: ChildSchema['of'], form: 'one' | 'list' | 'map'];

/** Fields that contain schemas, in the order in which errors are reported. */
const containers: readonly Container[] = [
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

/** Most schemas describe scalars. */
function hasChildren(schema: JsonObject): boolean {
  for (const field of Object.keys(schema)) if (containerNames.has(field)) return true;
  return false;
}

/** The schemas of one field, by the steps from it. */
function* within(
  value: unknown,
  form: Container[2],
): Generator<readonly [step: string, unknown, name?: string]> {
  if (form === 'one') yield ['', value];
  else if (form === 'map' && isJsonObject(value))
    for (const name of Object.keys(value)) yield [`[${name}]`, value[name], name];
  else if (form === 'list' && Array.isArray(value))
    for (const [i, one] of value.entries()) yield [`[${i}]`, one];
}

/** The direct subschemas of a schema, in the order in which errors are reported. */
export function* childSchemas(schema: JsonObject, path: string): Generator<ChildSchema> {
  if (!hasChildren(schema)) return;
  for (const [field, of, form] of containers) {
    if (schema[field] === undefined) continue;
    for (const [step, child, name] of within(schema[field], form)) {
      if (!isJsonObject(child)) continue;
      const at = `${path}.${field}${step}`;
      yield name === undefined ? { path: at, schema: child, of } : { path: at, schema: child, of, name };
    }
  }
}
