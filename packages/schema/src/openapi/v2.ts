import type { Names } from '@orch/machinery';
import { assemble } from './assemble.ts';
import type { JsonSchema } from './definitions.ts';
import type { OpenApiInput } from './input.ts';
import type { Content, Operation, PathOperations } from './operations.ts';
import type { Parameter } from './parameters.ts';

/** A document of OpenAPI 2.0 as a plain JSON value. */
export interface OpenApiV2 {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly securityDefinitions: Readonly<Record<string, unknown>>;
  readonly security: readonly unknown[];
}

const schemaOf = (content: Content): object =>
  content === 'text' ? { type: 'string' } : { $ref: `#/definitions/${content.definition}` };

const parameter = ({ name, in: where, type, description, required }: Parameter): object => ({
  ...(required === true ? {} : { uniqueItems: true }),
  type,
  description,
  name,
  in: where,
  ...(required === true ? { required } : {}),
});

/** Answers of the successful codes, and of missing credentials. */
export function responses<R>(
  operation: Operation,
  success: (description: string) => R,
): Record<string, R | object> {
  const text: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };
  const entries = operation.codes.map((code) => [String(code), success(text[code] ?? 'OK')] as const);
  return { ...Object.fromEntries(entries), 401: { description: 'Unauthorized' } };
}

function operationOf(operation: Operation, names: Names): object {
  const { body, answer } = operation;
  const { action, groupVersionKind } = names.schemaExtensions;
  const bodyParameter =
    body === undefined
      ? []
      : [{ name: 'body', in: 'body', required: body.required, schema: schemaOf(body.content) }];
  const parameters = [...bodyParameter, ...operation.query.map(parameter)];
  return {
    description: operation.description,
    consumes: operation.consumes,
    produces: operation.produces,
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: responses(operation, (description) => ({ description, schema: schemaOf(answer) })),
    [action]: operation.action,
    [groupVersionKind]: operation.kind,
  };
}

function pathOf({ operations, parameters }: PathOperations, names: Names): object {
  const methods = operations.map((operation) => [operation.method, operationOf(operation, names)] as const);
  return { ...Object.fromEntries(methods), parameters: parameters.map(parameter) };
}

/** The one document of everything that is served. */
export function buildV2(input: OpenApiInput): OpenApiV2 {
  const { definitions, paths } = assemble(input, input.resources, 'v2');
  return {
    swagger: '2.0',
    info: { title: input.title, version: input.version },
    paths: Object.fromEntries(paths.map((path) => [path.path, pathOf(path, input.names)])),
    definitions: definitions.toJSON(),
    securityDefinitions: {
      BearerToken: { description: 'Bearer token', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}
