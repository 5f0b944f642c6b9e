import {
  asList,
  asObject,
  asObjects,
  asStrings,
  asText,
  isExactNumber,
  isJsonObject,
  type JsonObject,
} from '@orch/machinery/json';

/** Deeper schemas are cut off. */
const MAX_DEPTH = 64;

export const REF = '#/definitions/';
const PARAMETER_REF = '#/parameters/';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The value of a field as the encodings of this server have it; undefined for any other. */
type Take = (value: unknown, depth: number) => unknown;
type Fields = ReadonlyMap<string, Take>;

const takeText: Take = (value) => (typeof value === 'string' ? value : undefined);
const takeTexts: Take = (value) => (Array.isArray(value) ? asStrings(value) : undefined);
const takeBool: Take = (value) => (typeof value === 'boolean' ? value : undefined);
const takeNumber: Take = (value) => (typeof value === 'number' || isExactNumber(value) ? value : undefined);
/** Protobuf has 64 bits for a count, and no negative one means anything. */
const takeCount: Take = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const takeAny: Take = (value) => value;
const takeList: Take = (value) => (Array.isArray(value) ? value : undefined);
const takeSchema: Take = (value, depth) =>
  isJsonObject(value) && depth < MAX_DEPTH ? takenSchema(value, depth + 1) : undefined;
const takeSchemas: Take = (value, depth) =>
  isJsonObject(value) ? mapped(value, depth, takeSchema) : undefined;
const takeRef: Take = (value) => (asText(value).startsWith(REF) ? value : undefined);

/** Fields whose values are taken in the same way. */
const fieldsOf = (names: readonly string[], take: Take) => names.map((name) => [name, take] as const);

const schemaFields: Fields = new Map([
  ['$ref', takeRef],
  ...fieldsOf(['format', 'title', 'description', 'pattern', 'type'], takeText),
  ...fieldsOf(['multipleOf', 'maximum', 'minimum'], takeNumber),
  ...fieldsOf(
    ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'],
    takeCount,
  ),
  ...fieldsOf(['exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems'], takeBool),
  ['default', takeAny],
  ['enum', takeList],
  ['required', takeTexts],
  ['items', takeSchema],
  ['properties', takeSchemas],
  ['additionalProperties', (value, depth) => takeBool(value, depth) ?? takeSchema(value, depth)],
]);

const refField: Fields = new Map([['$ref', takeRef]]);

const operationFields: Fields = new Map([
  ...fieldsOf(['description', 'operationId'], takeText),
  ...fieldsOf(['tags', 'produces', 'consumes', 'schemes'], takeTexts),
]);

const parameterFields: Fields = new Map([
  ...fieldsOf(['name', 'in', 'description', 'type'], takeText),
  ...fieldsOf(['required', 'uniqueItems'], takeBool),
]);

const bodyFields: Fields = new Map([
  ...fieldsOf(['name', 'in', 'description'], takeText),
  ['required', takeBool],
  ['schema', takeSchema],
]);

const responseFields: Fields = new Map([
  ['description', takeText],
  ['schema', takeSchema],
]);

function taken(from: JsonObject, fields: Fields, depth = 0): JsonObject {
  const found: [string, unknown][] = [];
  for (const [name, value] of Object.entries(from)) {
    const kept = fields.get(name)?.(value, depth);
    if (kept !== undefined) found.push([name, kept]);
  }
  return Object.fromEntries(found);
}

const extensionsOf = (from: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name.startsWith('x-')));

function mapped(from: JsonObject, depth: number, take: Take): JsonObject {
  const all = Object.entries(from).flatMap(([name, value]) => {
    const kept = take(value, depth);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(all);
}

/** The fields of a schema that this server publishes itself, each with a value of its type. */
export function takenSchema(schema: JsonObject, depth = 0): JsonObject {
  // One reference is put into a list where it has fields beside it.
  const [only, ...more] = asObjects(schema['allOf']);
  const ref = only === undefined || more.length > 0 ? {} : taken(only, refField);
  return { ...taken(schema, schemaFields, depth), ...ref, ...extensionsOf(schema) };
}

/** The same of a path; `shared` are the parameters of the document. */
export function takenPath(item: JsonObject, shared: JsonObject): JsonObject {
  const operations = methods.flatMap((method) => {
    const operation = item[method];
    return isJsonObject(operation) ? [[method, takenOperation(operation, shared)] as const] : [];
  });
  const parameters = parametersOf(item, shared);
  return { ...Object.fromEntries(operations), ...(parameters.length === 0 ? {} : { parameters }) };
}

function takenOperation(operation: JsonObject, shared: JsonObject): JsonObject {
  const parameters = parametersOf(operation, shared);
  const response: Take = (value) => (isJsonObject(value) ? taken(value, responseFields) : undefined);
  return {
    ...taken(operation, operationFields),
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: mapped(asObject(operation['responses']), 0, response),
    ...extensionsOf(operation),
  };
}

/** Parameters in the head of a request are left out. */
function parametersOf({ parameters }: JsonObject, shared: JsonObject): readonly JsonObject[] {
  return asList(parameters).flatMap((item) => {
    const own = asObject(item);
    const ref = asText(own['$ref']);
    const name = ref.slice(PARAMETER_REF.length);
    const parameter =
      ref.startsWith(PARAMETER_REF) && Object.hasOwn(shared, name) ? asObject(shared[name]) : own;
    const where = parameter['in'];
    if (where === 'body') return [taken(parameter, bodyFields)];
    return where === 'path' || where === 'query' ? [taken(parameter, parameterFields)] : [];
  });
}
