import type { TransportRequest } from '@orch/client';
import type { FaultRequest } from './fault.ts';

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** `/api/v1` and `/apis/GROUP/VERSION`, with the namespace of namespaced objects. */
const objectPath =
  /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/;

/** The request of an object; undefined for others, such as discovery. */
export function faultRequestOf({
  method,
  target,
}: TransportRequest): Omit<FaultRequest, 'occurrence'> | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const found = objectPath.exec(path);
  if (found === null) return undefined;
  const [, namespace = '', resource = '', name = '', subresource = ''] = found;
  const verb = verbs[method] ?? readOrDelete(method, name === '', new URLSearchParams(query));
  return { verb, path, resource, namespace, name: decodeURIComponent(name), subresource };
}

function readOrDelete(method: string, isCollection: boolean, query: URLSearchParams): string {
  if (method === 'DELETE') return isCollection ? 'deletecollection' : 'delete';
  if (['true', '1'].includes(query.get('watch') ?? '')) return 'watch';
  return isCollection ? 'list' : 'get';
}
