import type { Verb } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Answer, ApiVerb, ResourceContext, ResourceRequest } from '@orch/request';
import type { RegistryContext } from '../resource/registry-context.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import { serveSubresource } from '../subresources/subresources.ts';
import { get } from '../verbs/get.ts';
import { list } from '../verbs/list.ts';
import { serveWrite } from '../verbs/serve-write.ts';
import { watch } from '../verbs/watch.ts';

/** Serves a request by its verb, or by its subresource. */
export function serveVerb(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  const { info, request } = call;
  if (info.subresource !== '') return serveBelow(context, resource, call);
  if (!resource.verbs.has(authorizedVerb(info.verb)) || !fitsPath(info)) {
    // Throws the reason why objects currently cannot be created.
    if (info.verb === 'create') resource.type.writeGuard?.current('create');
    throw errors.methodNotAllowed(request.method);
  }
  if (resource.type.virtual === true) return context.virtual(resource)(context, resource, call);
  const stored = context.stored(resource);
  switch (info.verb) {
    case 'get':
      return get(context, stored, info, request);
    case 'list':
      return list(context, stored, info, request);
    case 'watch':
      return watch(context, stored, info, request);
    case 'create':
    case 'update':
    case 'patch':
    case 'apply':
    case 'delete':
    case 'deletecollection':
      return serveWrite(context, stored, call);
    case 'proxy':
    case '':
      throw errors.methodNotAllowed(request.method);
  }
}

/** The verb in the verbs of a resource that permits the request. */
const authorizedVerb = (verb: ApiVerb): Verb => {
  if (verb === 'apply') return 'patch';
  return verb === 'proxy' || verb === '' ? 'get' : verb;
};

/** Objects are created in a collection; other writes concern one object. */
function fitsPath(info: ResourceRequest): boolean {
  switch (info.verb) {
    case 'create':
      return info.name === '';
    case 'update':
    case 'patch':
    case 'apply':
      return info.name !== '';
    default:
      return true;
  }
}

function serveBelow(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  const { info, request } = call;
  const subresource = resource.subresources.get(info.subresource);
  if (subresource === undefined || info.name === '') throw errors.resourceNotFound();
  if (!subresource.verbs.includes(authorizedVerb(info.verb))) throw errors.methodNotAllowed(request.method);
  return serveSubresource(context, context.stored(resource), subresource, call);
}
