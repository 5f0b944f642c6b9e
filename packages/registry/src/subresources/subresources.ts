import type { Subresource } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Answer, ResourceContext } from '@orch/request';
import type { RegistryContext } from '../context/registry-context.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { get } from '../verbs/get.ts';
import { writeVerbs } from '../verbs/write-verbs.ts';
import { subresourceRules } from '../write/rules/update-rules.ts';
import { bind } from './binding.ts';
import { connect } from './connect.ts';
import { evict } from './eviction.ts';
import { rollback } from './rollback.ts';
import { scale } from './scale.ts';
import { requestToken } from './token-request.ts';

/** A request for a path below an object. */
export function serveSubresource(
  context: RegistryContext,
  resource: StoredResource,
  subresource: Subresource,
  call: ResourceContext,
): Answer {
  switch (subresource.behaviour) {
    case 'status':
    case 'finalize':
    case 'ephemeralcontainers':
    case 'resize':
    case 'approval':
      return serveView(context, resource, call);
    case 'scale':
      return scale(context, resource, subresource, call);
    case 'binding':
      return bind(context, { pods: resource, served: resource }, call);
    case 'eviction':
      return evict(context, resource, subresource, call);
    case 'rollback':
      return rollback(context, resource, subresource, call);
    case 'log':
    case 'proxy':
    case 'stream':
      return connect(context, resource, subresource, call);
    case 'token':
      return requestToken(context, resource, call);
  }
}

/** A subresource that returns the object itself and writes a part of it. */
function serveView(context: RegistryContext, resource: StoredResource, call: ResourceContext): Answer {
  const { info, request } = call;
  switch (info.verb) {
    case 'get':
      return get(context, resource, info, request);
    case 'update':
    case 'patch':
    case 'apply':
      return writeVerbs[info.verb](context, resource, call, subresourceRules(resource, info.subresource));
    default:
      throw errors.methodNotAllowed(request.method);
  }
}
