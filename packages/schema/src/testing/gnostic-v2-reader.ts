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
  only,
  schemaOrBool,
  text,
  texts,
  within,
} from './protobuf-reader.ts';

const schema: (bytes: Buffer) => unknown = message(
  {
    1: ['$ref', text],
    2: ['format', text],
    3: ['title', text],
    4: ['description', text],
    5: ['default', first(any)],
    6: ['multipleOf', double],
    7: ['maximum', double],
    8: ['exclusiveMaximum', bool],
    9: ['minimum', double],
    10: ['exclusiveMinimum', bool],
    11: ['maxLength', integer],
    12: ['minLength', integer],
    13: ['pattern', text],
    14: ['maxItems', integer],
    15: ['minItems', integer],
    16: ['uniqueItems', bool],
    17: ['maxProperties', integer],
    18: ['minProperties', integer],
    19: ['required', texts],
    20: ['enum', each(any)],
    21: ['additionalProperties', first((b) => schemaOrBool(b, schema))],
    22: ['type', first(within([1], String))],
    23: ['items', first(within([1], (b) => schema(b)))],
    25: ['properties', first(mapOf(1, (b) => schema(b)))],
  },
  31,
);

const body = message({
  2: ['name', text],
  3: ['in', text],
  4: ['required', bool],
  5: ['schema', first(schema)],
});
const query = message({
  2: ['in', text],
  3: ['description', text],
  4: ['name', text],
  6: ['type', text],
  20: ['uniqueItems', bool],
});
const path = message({
  1: ['required', bool],
  2: ['in', text],
  3: ['description', text],
  4: ['name', text],
  5: ['type', text],
});

/** ParametersItem.parameter, then one of the two, then the message of the place. */
function parameter(bytes: Buffer): unknown {
  const fields = fieldsOf(only(bytes, 1));
  if (fields.has(1)) return body(fields.get(1)?.[0] as Buffer);
  const place = fieldsOf(fields.get(2)?.[0] as Buffer);
  return place.has(3) ? query(place.get(3)?.[0] as Buffer) : path(place.get(4)?.[0] as Buffer);
}

const response = message({ 1: ['description', text], 2: ['schema', first(within([1], schema))] });
const operation = message(
  {
    1: ['tags', texts],
    3: ['description', text],
    5: ['operationId', text],
    6: ['produces', texts],
    7: ['consumes', texts],
    8: ['parameters', each(parameter)],
    9: ['responses', first(mapOf(1, within([1], response)))],
    10: ['schemes', texts],
  },
  13,
);
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const pathItem = message({
  ...Object.fromEntries(methods.map((method, i) => [i + 2, [method, first(operation)] as const])),
  9: ['parameters', each(parameter)],
});

/** A document of version 2 from its Protobuf encoding. */
export const readGnosticV2 = message({
  1: ['swagger', text],
  2: ['info', first(message({ 1: ['title', text], 2: ['version', text] }))],
  8: ['paths', first(mapOf(2, pathItem))],
  9: ['definitions', first(mapOf(1, schema))],
  12: ['security', each(mapOf(1, (b) => fieldsOf(b).get(1)?.map(String) ?? []))],
  13: [
    'securityDefinitions',
    first(
      mapOf(
        1,
        within(
          [2],
          message({ 1: ['type', text], 2: ['name', text], 3: ['in', text], 4: ['description', text] }),
        ),
      ),
    ),
  ],
});
