import { errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { readPatchRequest } from '../request/read-write-request.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { changedReply } from '../write/object-reply.ts';
import { patchObject, patchTarget } from '../write/patch-object.ts';
import { mainRules, type UpdateRules } from '../write/rules/update-rules.ts';

/** `patch` (spec 4.2) with a JSON patch, a merge patch or a strategic merge patch: 200 with the object. */
export async function patch(
  path: RequestPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const sent = await readPatchRequest(path, call, patchTarget(path, resource), resource.shapes.object);
  const changed = await patchObject(path, resource, sent, rules);
  if (changed === undefined) throw errors.notFound(subjectOf(resource, call.info.name));
  return changedReply(200, resource, changed, { format: sent.format });
}
