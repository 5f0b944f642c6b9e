import { ResourceRemovedError } from '@orch/cache';
import type { Answer, Handler, ResourceContext, ResourceRequest } from '@orch/request';
import { fencedContext, isFenced } from '../fencing/fenced-context.ts';
import { boundedWarnings } from '../request/reply.ts';
import { type Deprecation, deprecations } from '../resource/deprecation.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { SchemaPreparations } from '../resource/schema-preparations.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import { withWarnings } from '../resource/warnings.ts';
import { credentialKinds, withoutCredentials } from '../resource/withheld-credentials.ts';
import { checkScope } from '../verbs/request-scope.ts';

/** Serves a request whose resource was found. */
export type Serve = (context: RegistryContext, resource: ServedResource, call: ResourceContext) => Answer;

/**
 * Serves a request with additional work before or after it. Most requests need none of the wrappers: each then calls
 * the next one without an additional closure or promise.
 */
export type Wrapper = (next: Serve) => Serve;

/** Reads the schema of a custom kind before the first write that needs it. `again` serves the request from its beginning. */
export function preparingSchemas({ turns }: RegistryContext, again: Handler<ResourceContext>): Wrapper {
  const preparations = new SchemaPreparations(turns);
  return (next) => (context, resource, call) => {
    const preparing = preparations.before(resource, call.info);
    // The definition may have changed meanwhile.
    return preparing === undefined ? next(context, resource, call) : preparing.then(() => again(call));
  };
}

/** Serves a read again when the definition of its resource has changed meanwhile, with the new resource. */
export const servingReadsAgain =
  (again: Handler<ResourceContext>): Wrapper =>
  (next) =>
  (context, resource, call) => {
    if (resource.type.readAs === undefined || !isRead(call.info)) return next(context, resource, call);
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

/** Warns of deprecated versions, and counts their use. */
export function warningOfDeprecations({ table, release, env, names }: RegistryContext): Wrapper {
  const deprecationOf = deprecations(release, env.metrics, names);
  const deprecated = new Map<ServedResource, Deprecation>();
  table.observe({
    added(resource) {
      const deprecation = deprecationOf(resource);
      if (deprecation !== undefined) deprecated.set(resource, deprecation);
    },
    removed: (resource) => deprecated.delete(resource),
  });
  return (next) => (context, resource, call) => {
    const deprecation = deprecated.size === 0 ? undefined : deprecated.get(resource);
    return deprecation === undefined
      ? next(context, resource, call)
      : deprecation(() => next(context, resource, call), call.info);
  };
}

/** Withholds the values of failed writes of credentials. */
export function withholdingCredentials({ table }: RegistryContext): Wrapper {
  const kindOf = credentialKinds(table);
  return (next) => (context, resource, call) => {
    const kind = kindOf(resource, call.info);
    return kind === undefined
      ? next(context, resource, call)
      : withoutCredentials(kind, () => next(context, resource, call));
  };
}

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

/** Adds the warnings of admission to the reply. */
export const warningOfAdmission: Wrapper = (next) => (context, resource, call) =>
  context.admission === undefined || !isAdmitted(call.info)
    ? next(context, resource, call)
    : withWarnings(
        () => next(context, resource, call),
        () => admissionWarnings(call),
      );

/** Connections to pods, services and nodes are admitted, whatever their verb. */
const isAdmitted = (info: ResourceRequest): boolean => !isRead(info) || info.subresource !== '';

const noWarnings: readonly string[] = [];

const admissionWarnings = ({ trace: { warnings } }: ResourceContext): readonly string[] =>
  warnings === undefined ? noWarnings : boundedWarnings([...warnings]);

/** Serves a write with a fence by a context whose commits are guarded by the Lease. */
export const fencing: Wrapper = (next) => (context, resource, call) =>
  isFenced(call)
    ? fencedContext(context, resource, call).then((fenced) => next(fenced, resource, call))
    : next(context, resource, call);

/** Changes nothing and has no body, so that it can be served twice. */
const isRead = ({ verb }: ResourceRequest): boolean => verb === 'get' || verb === 'list' || verb === 'watch';
