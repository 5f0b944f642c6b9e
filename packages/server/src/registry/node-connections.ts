import { type ApiObject, errors, isJsonObject, parseJson } from '@orch/machinery';
import type { ApiRequest, Reply, ResourceRequest } from '../pipeline/types.ts';
import { readFreshObject } from './read-get.ts';
import type { StoredResource } from './served-resource.ts';

/**
 * Subresources that lead through the server to something outside (`log`, `exec`, `attach`, `portforward`, `proxy`):
 * 404 for an object that is not there, 400 for a pod without a node, else 503, since this server keeps no connections
 * to nodes.
 */
export async function connect(
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<Reply> {
  const found = await readFreshObject(resource, info, request);
  const object = parseJson(found.json()) as ApiObject;
  if (resource.type.kind === 'Pod') {
    const spec = isJsonObject(object['spec']) ? object['spec'] : {};
    if ((spec['nodeName'] ?? '') === '') {
      throw errors.badRequest(`pod ${info.name} does not have a host assigned`);
    }
  }
  throw errors.serviceUnavailable(
    `${info.subresource} of ${resource.type.resource} ${info.name} cannot be reached`,
  );
}
