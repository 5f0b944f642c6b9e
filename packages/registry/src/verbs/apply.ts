import { hash } from 'node:crypto';
import type { Reply } from '@orch/request';
import type { ApplyRequest } from '../request/read-write-request.ts';
import { bytesReply } from '../request/reply.ts';
import { mostRecent } from '../request/resource-version.ts';
import { cachedObject } from '../resource/cached-object.ts';
import type { WritePath } from '../resource/paths.ts';
import { keyOf, type StoredResource } from '../resource/served-resource.ts';
import { applyObject } from '../write/apply-object.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import type { UpdateRules } from '../write/update-rules.ts';

/** `apply` (spec 4.9): merges a configuration into the object, 200, or creates the object from it, 201. */
export async function apply(
  path: WritePath,
  resource: StoredResource,
  request: ApplyRequest,
  rules: UpdateRules,
): Promise<Reply> {
  const { format } = request;
  const digest = digestOf(path, resource, request);
  const unchanged = await unchangedReply(path, resource, request, digest);
  if (unchanged !== undefined) return unchanged;
  const { outcome, warnings } = await applyObject(path, resource, request, rules);
  if (outcome.kind === 'created') return objectReply(201, resource, outcome.state, { format, warnings });
  const { changed } = outcome;
  if (changed.outcome === 'kept' && warnings.length === 0) path.unchangedApplies.add(digest, changed.rev);
  return changedReply(200, resource, changed, { format, warnings });
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
  { unchangedApplies, admission, versioned }: Pick<WritePath, 'unchangedApplies' | 'admission' | 'versioned'>,
  resource: StoredResource,
  { call, format }: ApplyRequest,
  digest: string,
): Promise<Reply | undefined> {
  const { cache, encodings, type } = resource;
  const key = keyOf(resource, call.info);
  const before = cachedObject(resource, key);
  if (before === undefined || !unchangedApplies.has(digest, before.rev)) return undefined;
  const { user, info } = call;
  const { group } = type;
  const target = {
    operation: 'UPDATE',
    group,
    resource: type.resource,
    subresource: info.subresource,
    requested: versioned.of(resource, info.subresource),
  } as const;
  // Plugins may change the object differently than they did before.
  if (admission?.admissionOf({ ...target, user })?.mutates === true) return undefined;
  if (!cache.isFresh(mostRecent))
    await (cache.whenMostRecent() ?? cache.waitFresh(mostRecent, call.request.signal));
  const object = cachedObject(resource, key);
  if (object?.rev !== before.rev) return undefined;
  const [served = object] = await encodings.view([object], call.request.signal);
  return bytesReply(200, format, encodings.cached(served, format));
}
