import {
  any,
  bool,
  double,
  each,
  fieldsOf,
  first,
  integer,
  mapOf,
  message,
  schemaOrBool,
  text,
  texts,
  within,
} from './protobuf-reader.ts';

/** A schema in field 1 or a reference in field 2. */
function schemaOrReference(bytes: Buffer): unknown {
  const fields = fieldsOf(bytes);
  const reference = fields.get(2)?.[0];
  return reference === undefined
    ? schema(fields.get(1)?.[0] as Buffer)
    : message({ 1: ['$ref', text] })(reference as Buffer);
}

function literal(bytes: Buffer): unknown {
  const fields = fieldsOf(bytes);
  const [field] = fields.keys();
  const value = fields.get(field ?? 0)?.[0];
  if (field === 1) return (value as Buffer).readDoubleLE();
  return field === 2 ? value === 1 : String(value);
}

const schema: (bytes: Buffer) => unknown = message(
  {
    1: ['nullable', bool],
    9: ['title', text],
    10: ['multipleOf', double],
    11: ['maximum', double],
    12: ['exclusiveMaximum', bool],
    13: ['minimum', double],
    14: ['exclusiveMinimum', bool],
    15: ['maxLength', integer],
    16: ['minLength', integer],
    17: ['pattern', text],
    18: ['maxItems', integer],
    19: ['minItems', integer],
    20: ['uniqueItems', bool],
    21: ['maxProperties', integer],
    22: ['minProperties', integer],
    23: ['required', texts],
    24: ['enum', each(any)],
    25: ['type', text],
    26: ['allOf', each(schemaOrReference)],
    27: ['oneOf', each(schemaOrReference)],
    28: ['anyOf', each(schemaOrReference)],
    29: ['not', first((b) => schema(b))],
    30: ['items', first(within([1], schemaOrReference))],
    31: ['properties', first(mapOf(1, schemaOrReference))],
    32: ['additionalProperties', first((b) => schemaOrBool(b, schemaOrReference))],
    33: ['default', first(literal)],
    34: ['description', text],
    35: ['format', text],
  },
  36,
);

const parameter = within(
  [1],
  message({
    1: ['name', text],
    2: ['in', text],
    3: ['description', text],
    4: ['required', bool],
    10: ['schema', first(schemaOrReference)],
  }),
);
const mediaTypes = mapOf(1, message({ 1: ['schema', first(schemaOrReference)] }));
const requestBody = message({ 2: ['content', first(mediaTypes)], 3: ['required', bool] });
const response = message({ 1: ['description', text], 3: ['content', first(mediaTypes)] });
const operation = message(
  {
    1: ['tags', texts],
    3: ['description', text],
    5: ['operationId', text],
    6: ['parameters', each(parameter)],
    7: ['requestBody', first(within([1], requestBody))],
    8: ['responses', first(mapOf(2, within([1], response)))],
  },
  13,
);
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const pathItem = message({
  ...Object.fromEntries(methods.map((method, i) => [i + 4, [method, first(operation)] as const])),
  13: ['parameters', each(parameter)],
});
const securityScheme = message({
  1: ['type', text],
  2: ['description', text],
  3: ['name', text],
  4: ['in', text],
});

/** A document of version 3 from its Protobuf encoding. */
export const readGnosticV3 = message({
  1: ['openapi', text],
  2: ['info', first(message({ 1: ['title', text], 6: ['version', text] }))],
  4: ['paths', first(mapOf(1, pathItem))],
  5: [
    'components',
    first(
      message({
        1: ['schemas', first(mapOf(1, schemaOrReference))],
        7: ['securitySchemes', first(mapOf(1, within([1], securityScheme)))],
      }),
    ),
  ],
  6: ['security', each(mapOf(1, (bytes) => fieldsOf(bytes).get(1)?.map(String) ?? []))],
});
