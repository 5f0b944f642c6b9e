import { hash } from 'node:crypto';
import { ApiError, errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import { trackingIn } from '../convert/ownership.ts';
import type { Form } from '../encode/encodings.ts';
import { bodyBytes } from '../request/body.ts';
import { bytesReply, formOf, queryOf } from '../request/reply.ts';
import { mostRecent } from '../request/resource-version.ts';
import { applyOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { type Changed, changeObject } from '../write/change-object.ts';
import { createObject, type StoredState } from '../write/create-object.ts';
import { requireMayCreate } from '../write/may-create.ts';
import { uidConflict } from '../write/object-meta.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { mainRules, type UpdateRules } from '../write/update-rules.ts';
import {
  type Applying,
  applied,
  decideApply,
  decodeApplied,
  identityOf,
  readConfig,
  remarksOf,
} from './apply-config.ts';
import { refusePatchType } from './patch.ts';

/** How often an apply turns from a change into a creation, or back, since others create and delete the object. */
const MAX_TURNS = 8;

/** One apply that is under way. */
interface ApplyCall {
  readonly context: RegistryContext;
  readonly resource: StoredResource;
  readonly call: ResourceContext;
  readonly applying: Applying;
  readonly rules: UpdateRules;
}

type Outcome =
  | { readonly kind: 'created'; readonly state: StoredState }
  | { readonly kind: 'changed'; readonly changed: Changed };

/** `apply` (spec 4.9): merges a configuration into the object, 200, or creates it from that, 201. */
export async function apply(
  context: RegistryContext,
  resource: StoredResource,
  call: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const { info, request } = call;
  const key = keyOf(resource, info);
  if (trackingIn(context.release) === 'never') refusePatchType(request, resource.type);
  const query = queryOf(request);
  const options = applyOptions(query, context);
  const form = formOf(request, query, context.negotiator, 'object');
  const bytes = await bodyBytes(request, context.limits.bodyBytes);
  const { apiVersion } = resource;
  const writer = writerOf(request, info, options);
  const id = digest(
    [resource.keyPrefix, key, apiVersion, writer.subresource, writer.manager, options.fieldValidation],
    bytes,
  );
  const known = await knownUnchanged(context, resource, { id, key, signal: request.signal, form });
  if (known !== undefined) return known;

  const sent = readConfig(bytes, { kind: resource.type.kind, apiVersion }, options);
  const { name, namespace } = info;
  const applying: Applying = { sent, writer, options, name, namespace };
  let unknown: readonly string[] = [];
  const outcome = await carryOut({ context, resource, call, applying, rules }, key, (found) => {
    unknown = found;
  });
  const remarks = remarksOf(applying, unknown);
  if (outcome.kind === 'created') return objectReply(201, resource, outcome.state, form, remarks);
  const { changed } = outcome;
  if (changed.outcome === 'kept' && remarks.length === 0) context.unchangedApplies.remember(id, changed.rev);
  return changedReply(200, resource, changed, form, remarks);
}

/** What is remembered of an apply stands for all that its outcome depends on, beside the object. */
const digest = (about: readonly string[], body: Buffer): string =>
  // None of these texts holds a line break: keys and managers have no control characters.
  hash('sha256', Buffer.concat([Buffer.from(`${about.join('\n')}\n`), body]), 'base64');

interface Remembered {
  readonly id: string;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly form: Form;
}

/** The answer to an apply that is known to change nothing, as long as the object is the one that it is known of. */
async function knownUnchanged(
  context: RegistryContext,
  { cache, encodings }: StoredResource,
  { id, key, signal, form }: Remembered,
): Promise<Reply | undefined> {
  const before = cache.get(key);
  if (before === undefined || !context.unchangedApplies.has(id, before.rev)) return undefined;
  if (!cache.isFresh(mostRecent)) await (cache.whenMostRecent() ?? cache.waitFresh(mostRecent, signal));
  const object = cache.get(key);
  return object?.rev === before.rev ? bytesReply(200, form, encodings.cached(object, form)) : undefined;
}

/** Changes the object when there is one, else creates it. */
async function carryOut(
  asked: ApplyCall,
  key: string,
  told: (unknown: readonly string[]) => void,
): Promise<Outcome> {
  const { context, resource, call, applying, rules } = asked;
  const { user, request } = call;
  for (let turn = 1; ; turn++) {
    const changed = await changeObject(context, resource, {
      key,
      name: applying.name,
      user,
      admittedAs: { operation: 'UPDATE', subresource: call.info.subresource },
      dryRun: applying.options.dryRun,
      signal: request.signal,
      decide: (current) => decideApply(context, resource, { current, applying, told }, { user, rules }),
    });
    if (changed !== undefined) return { kind: 'changed', changed };
    const state = await created(asked, told);
    if (state !== undefined) return { kind: 'created', state };
    if (turn === MAX_TURNS)
      throw errors.conflict(
        subjectOf(resource, applying.name),
        'the object is being created and deleted too often; please try again',
      );
  }
}

/** Creates the object from the configuration. Undefined when somebody else was faster. */
async function created(
  { context, resource, call, applying }: ApplyCall,
  told: (unknown: readonly string[]) => void,
): Promise<StoredState | undefined> {
  const { info, user, request } = call;
  const { sent, writer, options, name, namespace } = applying;
  const subject = subjectOf(resource, name);
  const { uid, resourceVersion } = identityOf(sent, { resource, name, namespace });
  // An object that the client has seen is not there any more; below an object, nothing is created.
  if (uid !== '') throw uidConflict(subject, uid, undefined);
  if (info.subresource !== '' || (resourceVersion !== '' && resourceVersion !== '0'))
    throw errors.notFound(subject);
  const { dryRun } = options;
  const { signal } = request;
  await requireMayCreate(context, call);
  const result = applied(context, resource, applying, undefined);
  told(result.unknown);
  const { object, owners } = decodeApplied(resource, result, applying, undefined);
  try {
    return await createObject(context, resource, object, { namespace, user, writer, owners, dryRun, signal });
  } catch (cause) {
    if (cause instanceof ApiError && cause.status.reason === 'AlreadyExists') return undefined;
    throw cause;
  }
}
