import type { Subresource } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Answer, ApiRequest, ResourceRequest } from '../pipeline/types.ts';
import { bind } from './binding.ts';
import { evict } from './eviction.ts';
import { connect } from './node-connections.ts';
import { patch } from './patch.ts';
import { get } from './read-get.ts';
import type { RegistryContext } from './registry-context.ts';
import { scale } from './scale.ts';
import type { StoredResource } from './served-resource.ts';
import { update } from './update.ts';
import { subresourceRules } from './update-rules.ts';

/** A request for a path below an object. */
export function serveSubresource(
  context: RegistryContext,
  resource: StoredResource,
  subresource: Subresource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  switch (subresource.behaviour) {
    case 'status':
    case 'finalize':
    case 'ephemeralcontainers':
    case 'approval':
      return serveView(context, resource, info, request);
    case 'scale':
      return scale(context, resource, info, request);
    case 'binding':
      return bind(context, resource, info, request);
    case 'eviction':
      return evict(context, resource, info, request, subresource);
    case 'log':
    case 'proxy':
    case 'stream':
      return connect(resource, info, request);
    case 'token':
      // Issuing tokens needs the signing key of the authentication part.
      throw errors.resourceNotFound();
  }
}

/** A subresource that shows the object itself, and writes a part of it. */
function serveView(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  const rules = subresourceRules(resource, info.subresource);
  switch (info.verb) {
    case 'get':
      return get(context, resource, info, request);
    case 'update':
      return update(context, resource, info, request, rules);
    case 'patch':
    case 'apply':
      return patch(context, resource, info, request, rules);
    default:
      throw errors.methodNotAllowed(request.method);
  }
}
