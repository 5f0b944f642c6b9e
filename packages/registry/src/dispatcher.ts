import type { Verb } from '@orch/apis';
import { errors } from '@orch/machinery';
import {
  type Answer,
  type ApiVerb,
  groupNotFound,
  type Handler,
  type ResourceContext,
  type ResourceRequest,
} from '@orch/request';
import type { RegistryContext } from './context/registry-context.ts';
import {
  checkingScope,
  fencing,
  namingSources,
  preparingSchemas,
  type Serve,
  servingReadsAgain,
  type Wrapper,
  warningOfDeprecations,
  warningOfWrites,
  withholdingCredentials,
} from './dispatch/wrappers.ts';
import type { ServedResource } from './resource/served-resource.ts';
import { serveSubresource } from './subresources/subresources.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { watch } from './verbs/watch.ts';
import { writeVerbs } from './verbs/write-verbs.ts';

/**
 * Resolves when every resource that was declared before the call is served; undefined when they are already. Called for
 * a request whose resource is not in the table.
 */
export type CatchUp = (signal: AbortSignal) => Promise<void> | undefined;

/** Serves every request for a resource (spec 4.1, 4.2). */
export function resourceHandler(context: RegistryContext, catchUp?: CatchUp): Handler<ResourceContext> {
  const handle: Handler<ResourceContext> = (call) => handler(call);
  // In the order in which they see a request.
  const wrappers: readonly Wrapper[] = [
    preparingSchemas(context, handle),
    servingReadsAgain(handle),
    warningOfDeprecations(context),
    withholdingCredentials,
    checkingScope,
    namingSources,
    warningOfWrites,
    fencing,
  ];
  const handler = findingResources(context, wrapped(serveVerb, wrappers), catchUp);
  return handle;
}

/** `serve` in those wrappers that a resource needs. */
function wrapped(serve: Serve, wrappers: readonly Wrapper[]): Serve {
  const known = new WeakMap<ServedResource, Serve>();
  const wrap = (resource: ServedResource): Serve => {
    const serving = wrappers.reduceRight((next, wrapper) => wrapper(next, resource), serve);
    known.set(resource, serving);
    return serving;
  };
  return (context, resource, call) => (known.get(resource) ?? wrap(resource))(context, resource, call);
}

/** Finds the resource of a request. This server must not deny a definition that another server has already accepted. */
function findingResources(
  context: RegistryContext,
  serve: Serve,
  catchUp: CatchUp | undefined,
): Handler<ResourceContext> {
  const { table } = context;
  return (call) => {
    const { info, request } = call;
    // Nothing is below a subresource of this server, except what `proxy` leads to.
    if (info.rest !== '' && info.subresource !== 'proxy') throw errors.resourceNotFound();
    const resource = table.find(info.group, info.version, info.resource);
    if (resource !== undefined) return serve(context, resource, call);
    const catchingUp = catchUp?.(request.signal);
    if (catchingUp === undefined) return notFound(call, context);
    return catchingUp.then(() => {
      const added = table.find(info.group, info.version, info.resource);
      return added === undefined ? notFound(call, context) : serve(context, added, call);
    });
  };
}

function notFound({ info }: ResourceContext, { table, names }: RegistryContext): Answer {
  if (table.hasVersion(info.group, info.version)) throw errors.resourceNotFound();
  return groupNotFound(info.group, names);
}

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
      return writeVerbs[info.verb](context, stored, call);
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
