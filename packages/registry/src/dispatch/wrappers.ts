import { ResourceRemovedError } from '@orch/cache';
import { fenceHeader } from '@orch/machinery';
import {
  type Answer,
  type Handler,
  isReadOnly,
  type ResourceContext,
  type ResourceRequest,
} from '@orch/request';
import type { RegistryContext } from '../context/registry-context.ts';
import { fencedContext } from '../fencing/fenced-context.ts';
import { boundedWarnings, withWarnings } from '../request/reply.ts';
import { checkScope, type ServedResource } from '../resource/served-resource.ts';
import { deprecations } from './deprecation.ts';
import { SchemaPreparations } from './schema-preparations.ts';
import { credentialKinds, withoutCredentials } from './withheld-credentials.ts';

/** Serves a request whose resource was found. */
export type Serve = (context: RegistryContext, resource: ServedResource, call: ResourceContext) => Answer;

/**
 * Adds work before or after the requests for a resource. It returns `next` for resources that do not need it, so that their
 * requests do not pass it; a request that does not need it is passed on without an additional closure or promise.
 */
export type Wrapper = (next: Serve, resource: ServedResource) => Serve;

/** Reads the schema of a custom kind before the first write that needs it. `again` serves the request from its beginning. */
export function preparingSchemas({ turns }: RegistryContext, again: Handler<ResourceContext>): Wrapper {
  const preparations = new SchemaPreparations(turns);
  return (next, { schema }) =>
    schema.preparation === undefined
      ? next
      : (context, resource, call) => {
          const preparing = preparations.before(resource, call.info);
          // The definition may have changed meanwhile.
          return preparing === undefined ? next(context, resource, call) : preparing.then(() => again(call));
        };
}

/** Serves a read again when the definition of its resource has changed meanwhile, with the new resource. */
export const servingReadsAgain =
  (again: Handler<ResourceContext>): Wrapper =>
  (next, { type }) =>
    type.readAs === undefined ? next : readAgain(next, again);

const readAgain =
  (next: Serve, again: Handler<ResourceContext>): Serve =>
  (context, resource, call) => {
    if (!isRead(call.info)) return next(context, resource, call);
    const { info } = call;
    const failed = (cause: unknown): Answer => {
      const found = context.table.find(info.group, info.version, info.resource);
      if (cause instanceof ResourceRemovedError && found !== resource) return again(call);
      throw cause;
    };
    try {
      const answer = next(context, resource, call);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (cause) {
      return failed(cause);
    }
  };

/** Warns of deprecated versions, and reports their use. */
export function warningOfDeprecations({ release, env, names }: RegistryContext): Wrapper {
  const deprecationOf = deprecations(release, env.metrics, names);
  return (next, of) => {
    const deprecation = deprecationOf(of);
    if (deprecation === undefined) return next;
    return (context, resource, call) => deprecation(() => next(context, resource, call), call);
  };
}

/** Withholds the values of failed writes of credentials. */
export const withholdingCredentials: Wrapper = (next, of) => {
  const kindOf = credentialKinds(of);
  if (kindOf === undefined) return next;
  return (context, resource, call) => {
    const kind = kindOf(call.info);
    return kind === undefined
      ? next(context, resource, call)
      : withoutCredentials(kind, () => next(context, resource, call));
  };
};

/** Refuses a path that does not have the scope of its resource. */
export const checkingScope: Wrapper = (next) => (context, resource, call) => {
  checkScope(resource, call.info, call.request.method);
  return next(context, resource, call);
};

/** Provides the request to the history as the source of a write. */
export const namingSources: Wrapper = (next) => (context, resource, call) => {
  if (context.recorder !== undefined && !isRead(call.info)) call.trace.source = call;
  return next(context, resource, call);
};

/** Adds the warnings of admission, and those about the written object, to the reply. */
export const warningOfWrites: Wrapper = (next) => (context, resource, call) =>
  !isAdmitted(call.info)
    ? next(context, resource, call)
    : withWarnings(
        () => next(context, resource, call),
        () => recordedWarnings(call),
      );

/** Connections to pods, services and nodes are admitted, regardless of their verb. */
const isAdmitted = (info: ResourceRequest): boolean => !isRead(info) || info.subresource !== '';

const noWarnings: readonly string[] = [];

const recordedWarnings = ({ trace: { warnings } }: ResourceContext): readonly string[] =>
  warnings === undefined ? noWarnings : boundedWarnings([...warnings]);

/** Reports whether a request is a write with a fence. */
const isFenced = ({ request, info }: ResourceContext): boolean =>
  request.headers[fenceHeader] !== undefined && !isReadOnly(info);

/** Serves a write with a fence by a context whose commits are guarded by the Lease. */
export const fencing: Wrapper = (next) => (context, resource, call) =>
  isFenced(call)
    ? fencedContext(context, resource, call).then((fenced) => next(fenced, resource, call))
    : next(context, resource, call);

/** Changes nothing and has no body, so that it can be served twice. */
const isRead = ({ verb }: ResourceRequest): boolean => verb === 'get' || verb === 'list' || verb === 'watch';
