import { type ApiObject, errors, type ObjectMeta } from '@orch/machinery';
import { isLarge, parseJsonInPieces } from '@orch/machinery/json';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { readDelete } from '../request/read-write-request.ts';
import { successReply } from '../request/reply.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { requireUnsafeDeletePermission } from '../write/additional-permission.ts';
import type { Changed } from '../write/change.ts';
import { deleteObject, warnOfOrphans } from '../write/delete-object.ts';
import { changedReply } from '../write/object-reply.ts';

/** `delete` of one object (spec 3.1, 4.10). */
export async function remove(
  path: RequestPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { info, request, user } = call;
  const { options, format } = await readDelete(path, call, resource.shapes.object);
  if (options.ignoresReadErrors) await requireUnsafeDeletePermission(path, call);
  warnOfOrphans(resource, options, call.trace);
  const changed = await deleteObject(path, resource, {
    key: keyOf(resource, info),
    name: info.name,
    options,
    user,
    signal: request.signal,
    trace: call.trace,
    replies: true,
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, info.name));
  const { outcome } = changed;
  if (outcome === 'removed' && resource.type.strategy.deleteReturns === 'Status') {
    const { uid } = await metadataOf(path, changed);
    const details = {
      name: info.name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.type.resource,
      ...(uid === undefined ? {} : { uid }),
    };
    return successReply(path, format, { code: 200, details });
  }
  // 202 shows a client that requested to wait for dependents that the object still exists.
  const waits = options.propagation === 'Foreground' || options.orphanDependents === false;
  return changedReply(outcome !== 'removed' && waits ? 202 : 200, resource, changed, { format });
}

async function metadataOf({ turns }: Pick<WritePath, 'turns'>, { json }: Changed): Promise<ObjectMeta> {
  const object = isLarge(json.length)
    ? await turns.run(parseJsonInPieces(json))
    : JSON.parse(json.toString());
  return (object as ApiObject).metadata;
}
