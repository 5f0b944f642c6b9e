import type { Names } from '@orch/machinery';
import { assemble } from './assemble.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import type { Content, Operation, PathOperations } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { responses } from './v2.ts';

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
  const { action, groupVersionKind } = names.schemaExtensions;
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
    [action]: operation.action,
    [groupVersionKind]: operation.kind,
  };
}

function pathOf({ operations, parameters }: PathOperations, names: Names): object {
  const methods = operations.map((operation) => [operation.method, operationOf(operation, names)] as const);
  return { ...Object.fromEntries(methods), parameters: parameters.map(parameter) };
}

/** The document of one group version, as a plain JSON value. */
export function buildV3(input: OpenApiInput, resources: readonly OpenApiResource[]): object {
  const { definitions, paths } = assemble(input, resources, 'v3');
  return {
    openapi: '3.0.0',
    info: { title: input.title, version: input.version },
    paths: Object.fromEntries(paths.map((path) => [path.path, pathOf(path, input.names)])),
    components: {
      schemas: definitions.toJSON(),
      securitySchemes: {
        BearerToken: { type: 'apiKey', description: 'Bearer token', name: 'authorization', in: 'header' },
      },
    },
    security: [{ BearerToken: [] }],
  };
}
