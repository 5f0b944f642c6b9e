import { fieldError } from '@orch/machinery';
import { asObject, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import type { SchemaContext } from './schema-context.ts';

const listTypes: readonly string[] = ['atomic', 'map', 'set'];
const mapTypes: readonly string[] = ['atomic', 'granular'];

/** Checks that a schema with an extension has the type to which the extension applies. */
function checkTypeFor(
  schema: JsonObject,
  path: string,
  [extension, type]: readonly [extension: string, type: string],
  context: SchemaContext,
): boolean {
  if (schema['type'] === type) return true;
  const why = `must be ${type} if ${extension} is specified`;
  const at = `${path}.type`;
  context.report(
    asText(schema['type']) === ''
      ? fieldError.required(at, why)
      : fieldError.invalid(at, schema['type'], why),
  );
  return false;
}

function checkMapType(schema: JsonObject, path: string, context: SchemaContext): void {
  const { mapType } = context.keys;
  if (schema[mapType] === undefined) return;
  checkTypeFor(schema, path, [mapType, 'object'], context);
  if (!mapTypes.includes(asText(schema[mapType])))
    context.report(fieldError.notSupported(`${path}.${mapType}`, schema[mapType], mapTypes));
}

/** The schema of the items of a list that is merged by item; undefined, with an error, when there is none. */
function itemsOf(
  schema: JsonObject,
  path: string,
  why: string,
  context: SchemaContext,
): JsonObject | undefined {
  const { items } = schema;
  if (items === undefined)
    context.report(fieldError.required(`${path}.items`, `must have a schema if ${why}`));
  else if (Array.isArray(items))
    context.report(fieldError.invalid(`${path}.items`, items, `must only have a single schema if ${why}`));
  else return asObject(items);
  return undefined;
}

function checkSetItems(schema: JsonObject, path: string, context: SchemaContext): void {
  const { listType, mapType } = context.keys;
  const items = itemsOf(schema, path, `${listType} is set`, context);
  if (items === undefined) return;
  const at = `${path}.items`;
  if (items['nullable'] === true)
    context.report(fieldError.forbidden(`${at}.nullable`, `cannot be nullable when ${listType} is set`));
  const why = `must be atomic as item of a list with ${listType}=set`;
  // Lists are atomic by default, and maps granular.
  if (items['type'] === 'array' && (items[listType] ?? 'atomic') !== 'atomic')
    context.report(fieldError.invalid(`${at}.${listType}`, items[listType], why));
  if (items['type'] === 'object' && items[mapType] !== 'atomic')
    context.report(fieldError.invalid(`${at}.${mapType}`, items[mapType] ?? null, why));
}

/** Checks that a key is a scalar that every item has, because it is required or has a default. */
function checkKey(key: string, items: JsonObject, path: string, context: SchemaContext): void {
  const { listMapKeys } = context.keys;
  const properties = asObject(items['properties']);
  const keys = `${path}.${listMapKeys}`;
  if (!Object.hasOwn(properties, key)) {
    context.report(fieldError.invalid(keys, key, 'entries must all be names of item properties'));
    return;
  }
  const property = asObject(properties[key]);
  const at = `${path}.items.properties[${key}]`;
  if (property['type'] === 'array' || property['type'] === 'object') {
    const why = `must be a scalar type if parent array's ${context.keys.listType} is map`;
    context.report(fieldError.invalid(`${at}.type`, property['type'], why));
  }
  const what = `this property is in ${listMapKeys}, so it`;
  if (property['nullable'] === true)
    context.report(fieldError.forbidden(`${at}.nullable`, `${what} cannot be nullable`));
  if (property['default'] === undefined && !asStrings(items['required']).includes(key))
    context.report(
      fieldError.required(`${at}.default`, `${what} must have a default or be a required property`),
    );
}

function checkMapItems(schema: JsonObject, path: string, context: SchemaContext): void {
  const { listMapKeys, listType } = context.keys;
  const keys = asStrings(schema[listMapKeys]);
  if (keys.length === 0)
    context.report(fieldError.required(`${path}.${listMapKeys}`, `must not be empty if ${listType} is map`));
  const items = itemsOf(schema, path, `${listType} is map`, context);
  if (items === undefined) return;
  if (items['nullable'] === true)
    context.report(
      fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when ${listType} is map`),
    );
  if (items['type'] !== 'object') {
    const why = `must be object if parent array's ${listType} is map`;
    context.report(fieldError.invalid(`${path}.items.type`, items['type'] ?? '', why));
    return;
  }
  for (const key of new Set(keys)) {
    if (context.full) return;
    checkKey(key, items, path, context);
  }
  if (new Set(keys).size !== keys.length)
    context.report(fieldError.invalid(`${path}.${listMapKeys}`, keys, 'must not contain duplicate entries'));
}

function checkListType(schema: JsonObject, path: string, context: SchemaContext): void {
  const { listMapKeys, listType } = context.keys;
  const type = schema[listType];
  if (asStrings(schema[listMapKeys]).length > 0 && type !== 'map') {
    const why = `must be map if ${listMapKeys} is non-empty`;
    context.report(
      type === undefined
        ? fieldError.required(`${path}.${listType}`, why)
        : fieldError.invalid(`${path}.${listType}`, type, why),
    );
  }
  if (type === undefined || !checkTypeFor(schema, path, [listType, 'array'], context)) return;
  if (!listTypes.includes(asText(type)))
    context.report(fieldError.notSupported(`${path}.${listType}`, type, listTypes));
  else if (type === 'set') checkSetItems(schema, path, context);
  else if (type === 'map') checkMapItems(schema, path, context);
}

/** Checks how lists and maps are merged, and the requirements of merging on their items. */
export function checkListAndMap(schema: JsonObject, path: string, context: SchemaContext): void {
  checkMapType(schema, path, context);
  checkListType(schema, path, context);
}
