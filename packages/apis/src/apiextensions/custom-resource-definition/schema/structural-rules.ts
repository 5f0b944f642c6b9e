import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
import { checkPattern } from './pattern-rule.ts';
import { checkRootFields } from './root-fields.ts';
import type { SchemaContext } from './schema-context.ts';

type Level = 'root' | 'item' | 'field';

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** `[{type: integer}, {type: string}]`: the only `anyOf` allowed beside the int-or-string extension. */
const isEither = (anyOf: unknown): boolean => {
  const [first, second, ...rest] = asObjects(anyOf);
  const isJust = (schema: JsonObject | undefined, type: string): boolean =>
    schema !== undefined && Object.keys(schema).length === 1 && schema['type'] === type;
  return rest.length === 0 && isJust(first, 'integer') && isJust(second, 'string');
};

function checkType(schema: JsonObject, path: string, level: Level, context: SchemaContext): void {
  const { embeddedResource, intOrString, preserveUnknownFields } = context.keys;
  const type = asText(schema['type']);
  const at = `${path}.type`;
  if (schema[embeddedResource] === true && type !== 'object') {
    const why = `must be object if ${embeddedResource} is true`;
    context.report(type === '' ? fieldError.required(at, why) : fieldError.invalid(at, type, why));
  } else if (type === '' && schema[intOrString] !== true && schema[preserveUnknownFields] !== true) {
    context.report(fieldError.required(at, missingType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    context.report(fieldError.invalid(at, type, 'must be object at the root'));
}

function checkEmbedded(schema: JsonObject, path: string, context: SchemaContext): void {
  const { embeddedResource, preserveUnknownFields } = context.keys;
  if (schema[embeddedResource] !== true) return;
  if (schema['additionalProperties'] !== undefined) {
    const why = `must not be used if ${embeddedResource} is set`;
    context.report(fieldError.forbidden(`${path}.additionalProperties`, why));
  }
  const isEmpty = Object.keys(asObject(schema['properties'])).length === 0;
  if (isEmpty && schema[preserveUnknownFields] !== true) {
    const why = `must not be empty if ${embeddedResource} is true without ${preserveUnknownFields}`;
    context.report(fieldError.required(`${path}.properties`, why));
  }
}

function checkExtensions(schema: JsonObject, path: string, context: SchemaContext): void {
  const { embeddedResource, intOrString, preserveUnknownFields } = context.keys;
  if (schema[intOrString] !== true) return;
  for (const other of [preserveUnknownFields, embeddedResource]) {
    if (schema[other] === true)
      context.report(fieldError.invalid(`${path}.${other}`, true, `must be false if ${intOrString} is true`));
  }
}

/** The schemas combined with this one: they restrict values, and do not declare structure. */
function* checkCombinations(
  schema: JsonObject,
  path: string,
  context: SchemaContext,
  either: 'anyOf' | 'allOf' | undefined,
): Work<void> {
  if (either !== 'anyOf') {
    for (const [i, one] of asObjects(schema['anyOf']).entries())
      yield* checkNested(one, `${path}.anyOf[${i}]`, context);
  }
  for (const [i, one] of asObjects(schema['allOf']).entries()) {
    const skipsAnyOf = either === 'allOf' && i === 0;
    yield* checkNested(one, `${path}.allOf[${i}]`, context, skipsAnyOf ? 'anyOf' : undefined);
  }
  for (const [i, one] of asObjects(schema['oneOf']).entries())
    yield* checkNested(one, `${path}.oneOf[${i}]`, context);
  if (schema['not'] !== undefined) yield* checkNested(asObject(schema['not']), `${path}.not`, context);
  checkPattern(schema, path, context);
}

/** Keywords that must not be used in a combined schema, but only in the surrounding structure. */
function checkForbidden(schema: JsonObject, path: string, context: SchemaContext): void {
  const { embeddedResource, intOrString, listMapKeys, listType } = context.keys;
  const { mapType, preserveUnknownFields, validations } = context.keys;
  const empty = ['type', 'title', 'description', listMapKeys, validations];
  const absent = ['additionalProperties', 'default', listType, mapType];
  const off = ['nullable', preserveUnknownFields, embeddedResource, intOrString];
  const say = (keywords: readonly string[], what: string): void => {
    for (const keyword of keywords) {
      if (schema[keyword] === undefined || schema[keyword] === false) continue;
      context.report(fieldError.forbidden(`${path}.${keyword}`, `must be ${what} to be structural`));
    }
  };
  say(empty, 'empty');
  say(absent, 'undefined');
  say(off, 'false');
  if (Object.hasOwn(asObject(schema['properties']), 'metadata')) {
    const why = 'must not be specified in a nested context';
    context.report(fieldError.forbidden(`${path}.properties[metadata]`, why));
  }
}

function* checkNested(
  schema: JsonObject,
  path: string,
  context: SchemaContext,
  either?: 'anyOf',
): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  yield* checkCombinations(schema, path, context, either);
  if (schema['items'] !== undefined && !Array.isArray(schema['items']))
    yield* checkNested(asObject(schema['items']), `${path}.items`, context);
  const properties = asObject(schema['properties']);
  for (const name of Object.keys(properties))
    yield* checkNested(asObject(properties[name]), `${path}.properties[${name}]`, context);
  checkForbidden(schema, path, context);
}

function* checkParts(schema: JsonObject, path: string, level: Level, context: SchemaContext): Work<void> {
  const { items, additionalProperties } = schema;
  if (schema['$schema'] !== undefined)
    context.report(fieldError.forbidden(`${path}.$schema`, '$schema is not supported'));
  if (schema['type'] === 'array' && items === undefined)
    context.report(fieldError.required(`${path}.items`, 'must be specified'));
  if (items !== undefined && !Array.isArray(items))
    yield* checkStructural(asObject(items), `${path}.items`, 'item', context);
  const properties = asObject(schema['properties']);
  for (const name of Object.keys(properties))
    yield* checkStructural(asObject(properties[name]), `${path}.properties[${name}]`, 'field', context);
  if (additionalProperties === undefined) return;
  if (level === 'root')
    context.report(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  if (typeof additionalProperties === 'object')
    yield* checkStructural(asObject(additionalProperties), `${path}.additionalProperties`, 'field', context);
}

/** Checks that the type of every value is determined by the structure alone (spec 9.4: structural schemas). */
export function* checkStructural(
  schema: JsonObject,
  path: string,
  level: Level,
  context: SchemaContext,
): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  const { embeddedResource, intOrString } = context.keys;
  yield* checkParts(schema, path, level, context);
  checkExtensions(schema, path, context);
  const [first] = asObjects(schema['allOf']);
  const either =
    schema[intOrString] !== true
      ? undefined
      : isEither(schema['anyOf'])
        ? 'anyOf'
        : isEither(first?.['anyOf'])
          ? 'allOf'
          : undefined;
  yield* checkCombinations(schema, path, context, either);
  checkType(schema, path, level, context);
  checkEmbedded(schema, path, context);
  if (level === 'root' || schema[embeddedResource] === true)
    checkRootFields(schema, path, { isRoot: level === 'root' }, context);
}
