import { type ApiObject, errors } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { parseFieldSelector, parseLabelSelector } from '@orch/machinery/selectors';
import type { TransportRequest } from '../transport/transport.ts';

/** A parsed request of a resource path. */
export interface ModelRequest {
  readonly method: string;
  readonly collection: string;
  readonly namespace: string;
  /** Empty for a request of the collection. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: ApiObject | undefined;
  readonly contentType: string;
  selects(object: ApiObject): boolean;
}

const pathForm =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+)(?=\/[^/]))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>status))?$/;

/** Parses a request; throws not found for other paths. */
export function readModelRequest(request: TransportRequest): ModelRequest {
  const [path = '', query = ''] = request.target.split('?', 2);
  const parts = pathForm.exec(path)?.groups;
  if (parts === undefined) throw errors.resourceNotFound();
  const part = (name: string): string => decodeURIComponent(parts[name] ?? '');
  const parameters = new URLSearchParams(query);
  const { body } = request;
  return {
    method: request.method,
    collection: `${part('group')}/${part('resource')}`,
    namespace: part('namespace'),
    name: part('name'),
    query: parameters,
    body:
      body === undefined || body.byteLength === 0
        ? undefined
        : (JSON.parse(Buffer.from(body).toString()) as ApiObject),
    contentType: String(request.headers['content-type'] ?? ''),
    selects: selectionOf(parameters, part('namespace')),
  };
}

function selectionOf(query: URLSearchParams, namespace: string): (object: ApiObject) => boolean {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    labels.matches(object.metadata.labels) &&
    fields.matches((field) => textAt(object, field));
}

/** The text at a path of fields; empty for an unset field. */
function textAt(object: ApiObject, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : '';
}
