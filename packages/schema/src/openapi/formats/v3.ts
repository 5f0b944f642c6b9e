import type { Names } from '@orch/machinery';
import { jsonEntryInPieces } from '../json-schema/json-pieces.ts';
import type { Content, Operation, PathOperations } from '../operations/operation.ts';
import type { Parameter } from '../operations/parameters.ts';
import {
  comma,
  type DocumentEncoder,
  type DocumentHead,
  jsonEntry,
  jsonFrame,
  jsonHead,
} from './document-encoder.ts';
import { operationExtensions, responses } from './v2.ts';

const schemaOf = (content: Content): object =>
  content === 'text' ? { type: 'string' } : { $ref: `#/components/schemas/${content.definition}` };

const contentOf = (mediaTypes: readonly string[], content: Content): object =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaOf(content) }]));

const parameter = ({ name, in: where, type, description, required }: Parameter): object => ({
  name,
  in: where,
  description,
  ...(required === true ? { required } : {}),
  schema: { type, uniqueItems: true },
});

function operationOf(operation: Operation, names: Names): object {
  const { body, answer } = operation;
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(operation.query.length === 0 ? {} : { parameters: operation.query.map(parameter) }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: contentOf(operation.consumes, body.content), required: body.required } }),
    responses: responses(operation, (description) => ({
      description,
      content: contentOf(operation.produces, answer),
    })),
    ...operationExtensions(operation, names),
  };
}

/** A path in version 3. */
export function pathItemV3({ operations, parameters }: PathOperations, names: Names): object {
  const methods = operations.map((operation) => [operation.method, operationOf(operation, names)] as const);
  const common = parameters.length === 0 ? {} : { parameters: parameters.map(parameter) };
  return { ...Object.fromEntries(methods), ...common };
}

/** The text before the paths of a version 3 document. */
export const headV3 = ({ title, version }: DocumentHead) =>
  ({ openapi: '3.0.0', info: { title, version } }) as const;

/** The text after the schemas among the components, and after the components. */
export const securityV3 = {
  securitySchemes: {
    BearerToken: { type: 'apiKey', description: 'Bearer token', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
} as const;

/** The JSON encoding of version 3. */
export function jsonV3(head: DocumentHead, names: Names): DocumentEncoder {
  const { security, securitySchemes } = securityV3;
  const tail = `},"securitySchemes":${JSON.stringify(securitySchemes)}},"security":${JSON.stringify(security)}}`;
  return {
    dialect: 'v3',
    path: (path) => jsonEntry(path.path, pathItemV3(path, names)),
    definition: jsonEntry,
    definitionInPieces: jsonEntryInPieces,
    separator: comma,
    frame: () => jsonFrame(`${jsonHead(headV3(head))},"paths":{`, '},"components":{"schemas":{', tail),
  };
}
