import type { Names } from '@orch/machinery';
import { fieldHead } from '../../protobuf/envelope.ts';
import type { DocumentHead, JoiningEncoder } from './document-encoder.ts';
import {
  any,
  anys,
  asList,
  asObject,
  bool,
  double,
  entries,
  fieldBytes,
  fieldEncoder,
  int64,
  keptBytes,
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
import { headV2, pathItemV2, securityV2 } from './v2.ts';

const schema: Message = {
  extensions: 31,
  fields: {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: any(5),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: int64(11),
    minLength: int64(12),
    pattern: text(13),
    maxItems: int64(14),
    minItems: int64(15),
    uniqueItems: bool(16),
    maxProperties: int64(17),
    minProperties: int64(18),
    required: texts(19),
    enum: anys(20),
    additionalProperties: wrapped([21], (out, value) =>
      typeof value === 'boolean' ? bool(2)(out, value) : message(1, () => schema)(out, value),
    ),
    type: wrapped([22], text(1)),
    items: wrapped([23], (out, value) => message(1, () => schema)(out, value)),
    properties: wrapped(
      [25],
      entries(1, (out, value) => message(2, () => schema)(out, value)),
    ),
  },
};

const queryParameter: Message = {
  fields: {
    required: bool(1),
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(6),
    uniqueItems: bool(20),
  },
};
const pathParameter: Message = {
  fields: {
    required: bool(1),
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(5),
    uniqueItems: bool(19),
  },
};
const bodyParameter: Message = {
  fields: {
    description: text(1),
    name: text(2),
    in: text(3),
    required: bool(4),
    schema: message(5, () => schema),
  },
};

/** ParametersItem → Parameter → BodyParameter, or NonBodyParameter and then the message of the place. */
const parameters = (field: number): WriteField => {
  const body = wrapped(
    [field, 1],
    message(1, () => bodyParameter),
  );
  const path = wrapped(
    [field, 1, 2],
    message(4, () => pathParameter),
  );
  const query = keptBytes(
    wrapped(
      [field, 1, 2],
      message(3, () => queryParameter),
    ),
  );
  return (out, value) => {
    for (const item of asList(value)) {
      const where = asObject(item)['in'];
      if (where === 'body') body(out, item);
      else if (where === 'path') path(out, item);
      else query(out, item);
    }
  };
};

const response: Message = {
  fields: {
    description: text(1),
    schema: wrapped(
      [2],
      message(1, () => schema),
    ),
  },
};

const operation: Message = {
  extensions: 13,
  fields: {
    tags: texts(1),
    description: text(3),
    operationId: text(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: parameters(8),
    responses: wrapped(
      [9],
      entries(
        1,
        wrapped(
          [2],
          message(1, () => response),
        ),
      ),
    ),
    schemes: texts(10),
  },
};

const pathItem: Message = {
  extensions: 10,
  fields: {
    get: message(2, () => operation),
    put: message(3, () => operation),
    post: message(4, () => operation),
    delete: message(5, () => operation),
    options: message(6, () => operation),
    head: message(7, () => operation),
    patch: message(8, () => operation),
    parameters: parameters(9),
  },
};

const apiKeySecurity: Message = {
  fields: { type: text(1), name: text(2), in: text(3), description: text(4) },
};

const pathEntry = entries(
  2,
  message(2, () => pathItem),
);
const pathBytes = fieldEncoder(pathEntry);
const definitionEntry = entries(
  1,
  message(2, () => schema),
);
const info = message(2, () => ({ fields: { title: text(1), version: text(2) } }));
const apiKeys = wrapped(
  [13],
  entries(
    1,
    wrapped(
      [2],
      message(2, () => apiKeySecurity),
    ),
  ),
);

/** The Protobuf encoding of version 2, which older clients insist on: message `openapi.v2.Document`. */
export const protobufV2 = (head: DocumentHead, names: Names): JoiningEncoder => ({
  dialect: 'v2',
  path: (path) => pathBytes({ [path.path]: pathItemV2(path, names) }),
  foreignPath: (path, item) => pathBytes({ [path]: item }),
  definition: (name, definition) => fieldBytes(definitionEntry, { [name]: definition }),
  definitionInPieces: (name, definition) =>
    schemaEntryInPieces(definitionEntry, schema, { name, schema: definition }),
  separator: nothing,
  frame({ paths, definitions }) {
    const { swagger, info: about } = headV2(head);
    const start = messageBytes((out) => {
      text(1)(out, swagger);
      info(out, about);
    });
    const tail = messageBytes((out) => {
      for (const item of securityV2.security) wrapped([12], entries(1, wrapped([2], texts(1))))(out, item);
      apiKeys(out, securityV2.securityDefinitions);
    });
    return {
      head: Buffer.concat([start, fieldHead(8, paths)]),
      between: fieldHead(9, definitions),
      tail,
    };
  },
});
