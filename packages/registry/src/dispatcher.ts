import type { Verb } from '@orch/apis';
import { ResourceRemovedError } from '@orch/cache';
import { errors } from '@orch/machinery';
import {
  type Answer,
  type ApiVerb,
  groupNotFound,
  type Handler,
  type ResourceContext,
  type ResourceRequest,
} from '@orch/request';
import { fencedContext, isFenced } from './fencing/fenced-context.ts';
import { boundedWarnings } from './request/reply.ts';
import { type Deprecation, deprecations } from './resource/deprecation.ts';
import type { RegistryContext } from './resource/registry-context.ts';
import { SchemaPreparations } from './resource/schema-preparations.ts';
import type { ServedResource } from './resource/served-resource.ts';
import { withWarnings } from './resource/warnings.ts';
import { credentialKinds, withoutCredentials } from './resource/withheld-credentials.ts';
import { serveSubresource } from './subresources/subresources.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { checkScope } from './verbs/request-scope.ts';
import { serveWrite } from './verbs/serve-write.ts';
import { watch } from './verbs/watch.ts';

/**
 * Resolves when every resource is served that was declared before the call; undefined when that is so already. Called for a
 * request whose resource is not in the table.
 */
export type CatchUp = (signal: AbortSignal) => Promise<void> | undefined;

/** Serves every request for a resource (spec 4.1, 4.2). */
export function resourceHandler(context: RegistryContext, catchUp?: CatchUp): Handler<ResourceContext> {
  const credentialKindOf = credentialKinds(context.table);
  const deprecationOf = deprecations(context.release, context.env.metrics, context.names);
  const preparations = new SchemaPreparations(context.turns);
  const deprecated = new Map<ServedResource, Deprecation>();
  context.table.observe({
    added(resource) {
      const deprecation = deprecationOf(resource);
      if (deprecation !== undefined) deprecated.set(resource, deprecation);
    },
    removed: (resource) => deprecated.delete(resource),
  });
  const find = ({ info }: ResourceContext): ServedResource | undefined =>
    context.table.find(info.group, info.version, info.resource);
  const serveFound = (resource: ServedResource, call: ResourceContext): Answer => {
    const { info } = call;
    const kind = credentialKindOf(resource, info);
    const deprecation = deprecated.size === 0 ? undefined : deprecated.get(resource);
    // Most requests need neither, and are served without an additional closure.
    if (kind === undefined && deprecation === undefined) return serve(context, resource, call);
    const answer = (): Answer => withoutCredentials(kind, () => serve(context, resource, call));
    return deprecation === undefined ? answer() : deprecation(answer, info);
  };
  const notFound = ({ info }: ResourceContext): Answer => {
    if (context.table.hasVersion(info.group, info.version)) throw errors.resourceNotFound();
    return groupNotFound(info.group, context.names);
  };
  const handle: Handler<ResourceContext> = (call) => {
    // Nothing is below a subresource of this server, except what `proxy` leads to.
    if (call.info.rest !== '' && call.info.subresource !== 'proxy') throw errors.resourceNotFound();
    const resource = find(call);
    if (resource !== undefined) return serveCurrent(resource, call);
    // This server must not deny a definition that another server has already accepted.
    const catchingUp = catchUp?.(call.request.signal);
    if (catchingUp === undefined) return notFound(call);
    return catchingUp.then(() => {
      const added = find(call);
      return added === undefined ? notFound(call) : serveCurrent(added, call);
    });
  };
  /** A read of a resource whose definition changes meanwhile is served again, by the resource in its place. */
  const serveCurrent = (resource: ServedResource, call: ResourceContext): Answer => {
    const preparing = preparations.before(resource, call.info);
    // The definition may have changed meanwhile.
    if (preparing !== undefined) return preparing.then(() => handle(call));
    if (resource.type.readAs === undefined || !isRead(call.info)) return serveFound(resource, call);
    const again = (cause: unknown): Answer => {
      if (cause instanceof ResourceRemovedError && find(call) !== resource) return handle(call);
      throw cause;
    };
    try {
      const answer = serveFound(resource, call);
      return answer instanceof Promise ? answer.catch(again) : answer;
    } catch (cause) {
      return again(cause);
    }
  };
  return handle;
}

/** Changes nothing and has no body, so that it can be served twice. */
const isRead = ({ verb }: ResourceRequest): boolean => verb === 'get' || verb === 'list' || verb === 'watch';

/** Serves a request, with the warnings of admission. */
function serve(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  checkScope(resource, call.info, call.request.method);
  if (context.recorder !== undefined && !isRead(call.info)) call.trace.source = call;
  if (context.admission === undefined || !isAdmitted(call.info)) return serveFenced(context, resource, call);
  return withWarnings(
    () => serveFenced(context, resource, call),
    () => admissionWarnings(call),
  );
}

/** Connections to pods, services and nodes are admitted, whatever their verb. */
const isAdmitted = (info: ResourceRequest): boolean => !isRead(info) || info.subresource !== '';

const noWarnings: readonly string[] = [];

const admissionWarnings = ({ trace: { warnings } }: ResourceContext): readonly string[] =>
  warnings === undefined ? noWarnings : boundedWarnings([...warnings]);

/** A write with a fence is served by a context whose commits are guarded by the Lease. */
function serveFenced(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  return isFenced(call)
    ? fencedContext(context, resource, call).then((fenced) => serveVerb(fenced, resource, call))
    : serveVerb(context, resource, call);
}

function serveVerb(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  const { info, request } = call;
  if (info.subresource !== '') return serveBelow(context, resource, call);
  if (!resource.verbs.has(authorizedVerb(info.verb)) || !fitsPath(info)) {
    // Throws the reason why no object can be created at present.
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

/** The verb in a resource's list of verbs that allows the request. */
const authorizedVerb = (verb: ApiVerb): Verb => {
  if (verb === 'apply') return 'patch';
  return verb === 'proxy' || verb === '' ? 'get' : verb;
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

function serveBelow(context: RegistryContext, resource: ServedResource, call: ResourceContext): Answer {
  const { info, request } = call;
  const subresource = resource.subresources.get(info.subresource);
  if (subresource === undefined || info.name === '') throw errors.resourceNotFound();
  if (!subresource.verbs.includes(authorizedVerb(info.verb))) throw errors.methodNotAllowed(request.method);
  return serveSubresource(context, context.stored(resource), subresource, call);
}
