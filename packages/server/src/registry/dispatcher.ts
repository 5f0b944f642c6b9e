import type { Verb } from '@orch/apis';
import { errors } from '@orch/machinery';
import { pageNotFound, type ResourceContext } from '../pipeline/dispatch.ts';
import type { Answer, ApiRequest, ApiVerb, Handler, ResourceRequest } from '../pipeline/types.ts';
import { bind } from './binding.ts';
import { componentStatuses } from './component-statuses.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import { type Deprecation, deprecations } from './deprecation.ts';
import { patch } from './patch.ts';
import { get } from './read-get.ts';
import { list } from './read-list.ts';
import { watch } from './read-watch.ts';
import type { RegistryContext } from './registry-context.ts';
import type { ServedResource, StoredResource } from './served-resource.ts';
import { serveSubresource } from './subresources.ts';
import { update } from './update.ts';

/** Serves every request for a resource (spec 4.1, 4.2). */
export function resourceHandler(context: RegistryContext): Handler<ResourceContext> {
  const deprecationOf = deprecations(context.release, context.env.metrics);
  const deprecated = new Map<ServedResource, Deprecation>();
  for (const resource of context.table.all) {
    const deprecation = deprecationOf(resource);
    if (deprecation !== undefined) deprecated.set(resource, deprecation);
  }
  return ({ info, request }) => {
    const resource = context.table.find(info.group, info.version, info.resource);
    if (resource === undefined) {
      if (context.table.hasVersion(info.group, info.version)) throw errors.resourceNotFound();
      return pageNotFound;
    }
    const answer = serve(context, resource, info, request);
    return deprecated.size === 0 ? answer : (deprecated.get(resource)?.(answer, info) ?? answer);
  };
}

function serve(
  context: RegistryContext,
  resource: ServedResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  if (info.subresource !== '') return serveBelow(context, resource, info, request);
  if (!resource.verbs.has(authorizedVerb(info.verb)) || !fitsPath(info))
    throw errors.methodNotAllowed(request.method);
  if (resource.type.virtual === true) return serveVirtual(context, resource, info, request);
  const stored = context.stored(resource);
  switch (info.verb) {
    case 'get':
      return get(context, stored, info, request);
    case 'list':
      return list(context, stored, info, request);
    case 'watch':
      return watch(context, stored, info, request);
    case 'create':
      return create(context, stored, info, request);
    case 'update':
      return update(context, stored, info, request);
    case 'patch':
    case 'apply':
      return patch(context, stored, info, request);
    case 'delete':
      return remove(context, stored, info, request);
    case 'deletecollection':
      return removeCollection(context, stored, info, request);
    case 'proxy':
      throw errors.methodNotAllowed(request.method);
  }
}

/** The verb in a resource's list of verbs that allows the request. */
const authorizedVerb = (verb: ApiVerb): Verb => {
  if (verb === 'apply') return 'patch';
  return verb === 'proxy' ? 'get' : verb;
};

/** Collections are created in, objects are written to. */
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

function serveBelow(
  context: RegistryContext,
  resource: ServedResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  const subresource = resource.subresources.get(info.subresource);
  if (subresource === undefined || info.name === '') throw errors.resourceNotFound();
  if (!subresource.verbs.includes(authorizedVerb(info.verb))) throw errors.methodNotAllowed(request.method);
  return serveSubresource(context, context.stored(resource), subresource, info, request);
}

/** Resources that are not stored, each with a handler of its own. */
function serveVirtual(
  context: RegistryContext,
  resource: ServedResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  switch (resource.type.resource) {
    case 'bindings':
      return bind(context, podsOf(context), info, request);
    case 'componentstatuses':
      return componentStatuses(context, resource, info, request);
    default:
      throw new TypeError(`no handler for ${resource.type.resource}, which is not stored`);
  }
}

function podsOf(context: RegistryContext): StoredResource {
  const pods = context.table.find('', 'v1', 'pods');
  if (pods === undefined) throw new TypeError('the API has no pods');
  return context.stored(pods);
}
