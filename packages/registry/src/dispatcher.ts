import { errors } from '@orch/machinery';
import { type Answer, groupNotFound, type Handler, type ResourceContext } from '@orch/request';
import { serveVerb } from './dispatch/serve-verb.ts';
import {
  checkingScope,
  fencing,
  namingSources,
  preparingSchemas,
  type Serve,
  servingReadsAgain,
  type Wrapper,
  warningOfAdmission,
  warningOfDeprecations,
  withholdingCredentials,
} from './dispatch/wrappers.ts';
import type { RegistryContext } from './resource/registry-context.ts';

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
    withholdingCredentials(context),
    checkingScope,
    namingSources,
    warningOfAdmission,
    fencing,
  ];
  const serve = wrappers.reduceRight<Serve>((next, wrap) => wrap(next), serveVerb);
  const handler = findingResources(context, serve, catchUp);
  return handle;
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
