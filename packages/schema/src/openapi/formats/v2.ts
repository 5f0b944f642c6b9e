import type { Names } from '@orch/machinery';
import { jsonEntryInPieces } from '../json-schema/json-pieces.ts';
import type { Content, Operation, PathOperations } from '../operations/operation.ts';
import type { Parameter } from '../operations/parameters.ts';
import {
  comma,
  type DocumentHead,
  type JoiningEncoder,
  jsonEntry,
  jsonFrame,
  jsonHead,
} from './document-encoder.ts';

const schemaOf = (content: Content): object =>
  content === 'text' ? { type: 'string' } : { $ref: `#/definitions/${content.definition}` };

/** As they are written; nearly all operations have the same ones. */
const written = new WeakMap<Parameter, object>();

function parameter(of: Parameter): object {
  const known = written.get(of);
  if (known !== undefined) return known;
  const { name, in: where, type, description, required } = of;
  const value = {
    ...(required === true ? {} : { uniqueItems: true }),
    type,
    description,
    name,
    in: where,
    ...(required === true ? { required } : {}),
  };
  written.set(of, value);
  return value;
}

/** Responses of the successful codes, and of missing credentials. */
export function responses<R>(
  operation: Operation,
  success: (description: string) => R,
): Record<string, R | object> {
  const text: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };
  const entries = operation.codes.map((code) => [String(code), success(text[code] ?? 'OK')] as const);
  return { ...Object.fromEntries(entries), 401: { description: 'Unauthorized' } };
}

/** The action of an operation and its kind, as extensions. */
export function operationExtensions({ action, kind }: Operation, names: Names): object {
  const extension = names.schemaExtensions;
  return {
    ...(action === undefined ? {} : { [extension.action]: action }),
    ...(kind === undefined ? {} : { [extension.groupVersionKind]: kind }),
  };
}

function operationOf(operation: Operation, names: Names): object {
  const { body, answer } = operation;
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
    ...operationExtensions(operation, names),
  };
}

/** The path items that were already made for another encoding. */
const pathItems = new WeakMap<PathOperations, object>();

/** A path in version 2; the same value for both encodings. */
export function pathItemV2(path: PathOperations, names: Names): object {
  const known = pathItems.get(path);
  if (known !== undefined) return known;
  const item = pathItemOf(path, names);
  pathItems.set(path, item);
  return item;
}

function pathItemOf({ operations, parameters }: PathOperations, names: Names): object {
  const methods = operations.map((operation) => [operation.method, operationOf(operation, names)] as const);
  const common = parameters.length === 0 ? {} : { parameters: parameters.map(parameter) };
  return { ...Object.fromEntries(methods), ...common };
}

/** The text before the paths of a version 2 document. */
export const headV2 = ({ title, version }: DocumentHead) =>
  ({ swagger: '2.0', info: { title, version } }) as const;

/** The text after the definitions. */
export const securityV2 = {
  securityDefinitions: {
    BearerToken: { description: 'Bearer token', type: 'apiKey', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
} as const;

/** The JSON encoding of version 2. */
export const jsonV2 = (head: DocumentHead, names: Names): JoiningEncoder => ({
  dialect: 'v2',
  path: (path) => jsonEntry(path.path, pathItemV2(path, names)),
  foreignPath: jsonEntry,
  definition: jsonEntry,
  definitionInPieces: jsonEntryInPieces,
  separator: comma,
  frame: () =>
    jsonFrame(
      `${jsonHead(headV2(head))},"paths":{`,
      '},"definitions":{',
      `},${JSON.stringify(securityV2).slice(1)}`,
    ),
});
