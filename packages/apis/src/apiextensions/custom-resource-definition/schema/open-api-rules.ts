import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asObject, asText, type JsonObject } from '@orch/machinery/json';
import { checkListAndMap } from './list-and-map-rules.ts';
import { childSchemas, type SchemaContext } from './schema-context.ts';
import { someSchema } from './schema-facts.ts';
import { checkRules } from './validation-rules.ts';

const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Parts of JSON Schema that are not supported, with their messages. */
const forbidden: readonly (readonly [field: string, why: string])[] = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
];

/**
 * An unsupported part of JSON Schema in a schema or below it: the structure is then not checked. Undefined when there
 * is none.
 */
export function* unsupportedPart(schema: JsonObject): Work<string | undefined> {
  let part: string | undefined;
  yield* someSchema(schema, (one) => {
    part = forbidden.find(([field]) => one[field] !== undefined)?.[0];
    return part !== undefined;
  });
  return part;
}

function checkForbidden(schema: JsonObject, path: string, context: SchemaContext): void {
  for (const [field, why] of forbidden) {
    if (schema[field] !== undefined) context.report(fieldError.forbidden(`${path}.${field}`, why));
  }
  if (schema['default'] !== undefined && !context.options.allowsDefaults) {
    context.report(fieldError.forbidden(`${path}.default`, 'must not be set in this version of the API'));
  }
  if (Array.isArray(schema['items'])) {
    const why = 'items must be a schema object and not an array';
    context.report(fieldError.forbidden(`${path}.items`, why));
  }
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    context.report(fieldError.forbidden(`${path}.uniqueItems`, why));
  }
}

function checkType(schema: JsonObject, path: string, context: SchemaContext): void {
  const type = asText(schema['type']);
  if (type === '') return;
  if (type === 'null') {
    const why = 'type cannot be set to null, use nullable as an alternative';
    context.report(fieldError.forbidden(`${path}.type`, why));
  } else if (context.options.knownTypes && !types.includes(type)) {
    context.report(fieldError.notSupported(`${path}.type`, type, types));
  }
}

/** Checks that an object either has named fields or is a map. */
function checkProperties(schema: JsonObject, path: string, context: SchemaContext): void {
  const { additionalProperties, properties } = schema;
  if (additionalProperties === undefined || additionalProperties === true) return;
  if (Object.keys(asObject(properties)).length === 0) return;
  const why = 'additionalProperties and properties are mutual exclusive';
  context.report(fieldError.forbidden(`${path}.additionalProperties`, why));
}

function checkExtensions(schema: JsonObject, path: string, context: SchemaContext): void {
  const { preserveUnknownFields } = context.keys;
  if (schema[preserveUnknownFields] === false) {
    const at = `${path}.${preserveUnknownFields}`;
    context.report(fieldError.invalid(at, false, 'must be true or undefined'));
  }
  checkRules(schema, path, context);
}

/** The rules for every schema, structural or not (facts: CustomResourceDefinition). */
export function* checkOpenApi(schema: JsonObject, path: string, context: SchemaContext): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  checkForbidden(schema, path, context);
  checkType(schema, path, context);
  checkProperties(schema, path, context);
  for (const child of childSchemas(schema, path)) yield* checkOpenApi(child.schema, child.path, context);
  checkExtensions(schema, path, context);
  checkListAndMap(schema, path, context);
}
