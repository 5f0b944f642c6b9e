import type { Names } from '@orch/machinery';
import { approximateNumber, isExactNumber } from '@orch/machinery/json';
import { fieldHead } from '../../protobuf/envelope.ts';
import type { DocumentEncoder, DocumentHead } from './document-encoder.ts';
import {
  anys,
  asList,
  asObject,
  bool,
  double,
  entries,
  fieldBytes,
  int64,
  type Message,
  message,
  messageBytes,
  nothing,
  schemaEntryInPieces,
  text,
  texts,
  type WriteField,
  wrapped,
} from './gnostic-message.ts';
import { headV3, pathItemV3, securityV3 } from './v3.ts';

/** `SchemaOrReference`: a schema in field 1, a reference in field 2. */
const schemaOrReference =
  (field: number): WriteField =>
  (out, value) => {
    const target = asObject(value)['$ref'];
    if (target !== undefined) wrapped([field, 2], text(1))(out, target);
    else
      wrapped(
        [field],
        message(1, () => schema),
      )(out, value);
  };

const each =
  (write: WriteField): WriteField =>
  (out, value) => {
    for (const item of asList(value)) write(out, item);
  };

/** `DefaultType`: a number, a boolean or a string. */
const literal: WriteField = (out, value) => {
  if (typeof value === 'number') out.double(1, value);
  else if (typeof value === 'boolean') bool(2)(out, value);
  else text(3)(out, value);
};

/** The Protobuf encoding has no place for defaults that are objects or lists. */
const scalarDefault: WriteField = (out, value) => {
  const isScalar = typeof value !== 'object' || isExactNumber(value);
  if (isScalar) wrapped([33], literal)(out, isExactNumber(value) ? approximateNumber(value) : value);
};

const schema: Message = {
  extensions: 36,
  fields: {
    nullable: bool(1),
    title: text(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: bool(12),
    minimum: double(13),
    exclusiveMinimum: bool(14),
    maxLength: int64(15),
    minLength: int64(16),
    pattern: text(17),
    maxItems: int64(18),
    minItems: int64(19),
    uniqueItems: bool(20),
    maxProperties: int64(21),
    minProperties: int64(22),
    required: texts(23),
    enum: anys(24),
    type: text(25),
    allOf: each(schemaOrReference(26)),
    oneOf: each(schemaOrReference(27)),
    anyOf: each(schemaOrReference(28)),
    not: (out, value) => message(29, () => schema)(out, value),
    items: wrapped([30], schemaOrReference(1)),
    properties: wrapped([31], entries(1, schemaOrReference(2))),
    additionalProperties: wrapped([32], (out, value) =>
      typeof value === 'boolean' ? bool(2)(out, value) : schemaOrReference(1)(out, value),
    ),
    default: scalarDefault,
    description: text(34),
    format: text(35),
  },
};

const parameter: Message = {
  fields: {
    name: text(1),
    in: text(2),
    description: text(3),
    required: bool(4),
    schema: schemaOrReference(10),
  },
};

const parameters = (field: number): WriteField =>
  each(
    wrapped(
      [field],
      message(1, () => parameter),
    ),
  );

const mediaType: Message = { fields: { schema: schemaOrReference(1) } };

const content = (field: number): WriteField =>
  wrapped(
    [field],
    entries(
      1,
      message(2, () => mediaType),
    ),
  );

const requestBody: Message = { fields: { content: content(2), required: bool(3) } };
const response: Message = { fields: { description: text(1), content: content(3) } };

const operation: Message = {
  extensions: 13,
  fields: {
    tags: texts(1),
    description: text(3),
    operationId: text(5),
    parameters: parameters(6),
    requestBody: wrapped(
      [7],
      message(1, () => requestBody),
    ),
    responses: wrapped(
      [8],
      entries(
        2,
        wrapped(
          [2],
          message(1, () => response),
        ),
      ),
    ),
  },
};

const pathItem: Message = {
  fields: {
    get: message(4, () => operation),
    put: message(5, () => operation),
    post: message(6, () => operation),
    delete: message(7, () => operation),
    options: message(8, () => operation),
    head: message(9, () => operation),
    patch: message(10, () => operation),
    parameters: parameters(13),
  },
};

const pathEntry = entries(
  1,
  message(2, () => pathItem),
);
const schemaEntry = entries(1, schemaOrReference(2));
const info = message(2, () => ({ fields: { title: text(1), version: text(6) } }));
const securityScheme: Message = {
  fields: { type: text(1), description: text(2), name: text(3), in: text(4) },
};
const securitySchemes = wrapped(
  [7],
  entries(
    1,
    wrapped(
      [2],
      message(1, () => securityScheme),
    ),
  ),
);

/** The Protobuf encoding of version 3: message `openapi.v3.Document`. */
export const protobufV3 = (head: DocumentHead, names: Names): DocumentEncoder => ({
  dialect: 'v3',
  path: (path) => fieldBytes(pathEntry, { [path.path]: pathItemV3(path, names) }),
  definition: (name, definition) => fieldBytes(schemaEntry, { [name]: definition }),
  definitionInPieces: (name, definition) =>
    schemaEntryInPieces(schemaEntry, schema, { name, schema: definition }),
  separator: nothing,
  frame({ paths, definitions }) {
    const { openapi, info: about } = headV3(head);
    const start = messageBytes((out) => {
      text(1)(out, openapi);
      info(out, about);
    });
    const schemes = messageBytes((out) => securitySchemes(out, securityV3.securitySchemes));
    const schemas = fieldHead(1, definitions);
    const security = messageBytes((out) => {
      for (const item of securityV3.security) wrapped([6], entries(1, wrapped([2], texts(1))))(out, item);
    });
    return {
      head: Buffer.concat([start, fieldHead(4, paths)]),
      between: Buffer.concat([fieldHead(5, schemas.length + definitions + schemes.length), schemas]),
      tail: Buffer.concat([schemes, security]),
    };
  },
});
