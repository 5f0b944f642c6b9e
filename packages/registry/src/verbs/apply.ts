import { hash } from 'node:crypto';
import type { CachedObject } from '@orch/cache';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { type ApplyRequest, readApply } from '../request/read-write-request.ts';
import { bytesReply } from '../request/reply.ts';
import { mostRecent } from '../request/resource-version.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import { cachedObject } from '../resource/cached-object.ts';
import { keyOf, type StoredResource } from '../resource/served-resource.ts';
import { type Admission, admissionOf, type Reserve } from '../write/admission.ts';
import { applyObject } from '../write/apply-object.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { mainRules, type UpdateRules } from '../write/rules/update-rules.ts';
import { unchangedStates } from '../write/unparsed-states.ts';

/** `apply` (spec 4.9): merges a configuration into the object, 200, or creates the object from it, 201. */
export async function apply(
  path: RequestPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const sent = await readApply(path, call, resource, resource.shapes.object);
  const { format } = sent;
  const unchanged = await unchangedReply(path, resource, sent);
  if (unchanged !== undefined) return unchanged;
  const outcome = await applyObject(path, resource, sent, rules);
  if (outcome.kind === 'created') return objectReply(201, resource, outcome.state, { format });
  const { changed } = outcome;
  if (changed.outcome === 'kept' && call.trace.warnings === undefined)
    path.unchangedApplies.add(digestOf(path, resource, sent), changed.rev);
  return changedReply(200, resource, changed, { format });
}

/** Identifies everything that the outcome of an apply depends on, except the state of the object. */
function digestOf(
  { unchangedApplies }: Pick<WritePath, 'unchangedApplies'>,
  resource: StoredResource,
  { call, writer, options, bytes }: ApplyRequest,
): string {
  const { keyPrefix, apiVersion, schema } = resource;
  const { subresource, manager } = writer;
  const parts = [
    unchangedApplies.schemaId(schema),
    keyPrefix,
    keyOf(resource, call.info),
    apiVersion,
    subresource,
    manager,
    options.fieldValidation,
  ];
  // None of these texts contains a line break: keys and managers have no control characters.
  return hash('sha256', Buffer.concat([Buffer.from(`${parts.join('\n')}\n`), bytes]), 'base64');
}

/** The reply to an apply that changed nothing before, while the object has the same revision as then. */
async function unchangedReply(
  path: WritePath,
  resource: StoredResource,
  sent: ApplyRequest,
): Promise<Reply | undefined> {
  const { call, format } = sent;
  const { unchangedApplies } = path;
  const { cache, encodings } = resource;
  const key = keyOf(resource, call.info);
  const before = cachedObject(resource, key);
  if (before === undefined || !unchangedApplies.hasAny(before.rev)) return undefined;
  if (!unchangedApplies.has(digestOf(path, resource, sent), before.rev)) return undefined;
  const admission = admissionOfApply(path, resource, sent);
  // Plugins may change the object differently than they did before.
  if (admission?.mutate !== undefined) return undefined;
  const prechecking = admission?.precheck();
  if (prechecking !== undefined) await prechecking;
  if (!cache.isFresh(mostRecent))
    await (cache.whenMostRecent() ?? cache.waitFresh(mostRecent, call.request.signal));
  if (admission?.validate !== undefined && !(await admitted(resource, before, admission.validate)))
    return undefined;
  const object = cachedObject(resource, key);
  if (object?.rev !== before.rev) return undefined;
  const [served = object] = await encodings.view([object], call.request.signal);
  return bytesReply(200, format, await encodings.cachedInTurns(served, format));
}

function admissionOfApply(
  path: WritePath,
  resource: StoredResource,
  { call, options: { dryRun } }: ApplyRequest,
): Admission | undefined {
  const { user, trace, request, info } = call;
  const { name, namespace, subresource } = info;
  const options = writeOptionsObject('UpdateOptions', request, path.names);
  const writing = { name, namespace, user, dryRun, signal: request.signal, trace, options };
  return admissionOf(path, resource, { operation: 'UPDATE', subresource }, writing);
}

/** Passes the unchanged object to plugins; false when it is no longer the current one. Rejects with a refusal. */
async function admitted(
  resource: StoredResource,
  { key, rev }: CachedObject,
  validate: Reserve,
): Promise<boolean> {
  const current = cachedObject(resource, key);
  if (current?.rev !== rev) return false;
  await (await validate(unchangedStates(current.json())))?.finish(false);
  return true;
}
