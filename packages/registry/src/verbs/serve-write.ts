import { errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import type { ReadPath, RequestPath, WritePath } from '../context/paths.ts';
import {
  type PatchRequest,
  type PostRequest,
  readApply,
  readDelete,
  readPatchRequest,
  readPost,
  readUpdate,
  resourceKind,
  type UpdateRequest,
} from '../request/read-write-request.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { createObject } from '../write/create-object.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { patchObject, patchTarget } from '../write/patch-object.ts';
import { replaceObject } from '../write/replace-object.ts';
import { mainRules, type UpdateRules } from '../write/rules/update-rules.ts';
import { apply } from './apply.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';

/**
 * Parses a write request and executes its verb. `rules` define the part of the object that the path writes; all of it
 * when absent.
 */
export async function serveWrite(
  path: RequestPath & ReadPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules?: UpdateRules,
): Promise<Reply> {
  switch (call.info.verb) {
    case 'create':
      return create(path, resource, await readPost(path, call, resourceKind(resource)));
    case 'update':
      return update(
        path,
        resource,
        await readUpdate(path, call, resourceKind(resource)),
        rules ?? mainRules(resource),
      );
    case 'patch':
      return patch(
        path,
        resource,
        await readPatchRequest(path, call, patchTarget(path, resource), resource.shapes.object),
        rules ?? mainRules(resource),
      );
    case 'apply':
      return apply(
        path,
        resource,
        await readApply(path, call, resource, resource.shapes.object),
        rules ?? mainRules(resource),
      );
    case 'delete':
      return remove(path, resource, await readDelete(path, call, resource.shapes.object));
    case 'deletecollection':
      return removeCollection(path, resource, await readDelete(path, call, resource.shapes.list));
    default:
      throw errors.methodNotAllowed(call.request.method);
  }
}

/** `create` (spec 4.2): 201 with the object as stored. */
async function create(
  path: WritePath,
  resource: StoredResource,
  { call, object, options, writer, format, warnings, size }: PostRequest,
): Promise<Reply> {
  const { info, request, user } = call;
  const created = await createObject(path, resource, object, {
    namespace: info.namespace,
    writer,
    dryRun: options.dryRun,
    user,
    signal: request.signal,
    trace: call.trace,
    size,
    requestOptions: writeOptionsObject('CreateOptions', request, path.names),
  });
  return objectReply(201, resource, created, { format, warnings });
}

/** `update` (spec 4.2): 200, or 201 where the kind permits that a PUT creates. */
async function update(
  path: WritePath,
  resource: StoredResource,
  request: UpdateRequest,
  rules: UpdateRules,
): Promise<Reply> {
  const { outcome, warnings } = await replaceObject(path, resource, request, rules);
  const { format } = request;
  return outcome.kind === 'created'
    ? objectReply(201, resource, outcome.state, { format, warnings })
    : changedReply(200, resource, outcome.changed, { format, warnings });
}

/** `patch` (spec 4.2) with a JSON patch, a merge patch or a strategic merge patch: 200 with the object. */
async function patch(
  path: WritePath,
  resource: StoredResource,
  request: PatchRequest,
  rules: UpdateRules,
): Promise<Reply> {
  const { changed, warnings } = await patchObject(path, resource, request, rules);
  if (changed === undefined) throw errors.notFound(subjectOf(resource, request.call.info.name));
  return changedReply(200, resource, changed, { format: request.format, warnings });
}
