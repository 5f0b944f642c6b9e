import { errors } from '@orch/machinery';
import type { Reply } from '@orch/request';
import type { PatchRequest } from '../request/read-write-request.ts';
import type { WritePath } from '../resource/paths.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { changedReply } from '../write/object-reply.ts';
import { patchObject } from '../write/patch-object.ts';
import type { UpdateRules } from '../write/rules/update-rules.ts';

/** `patch` (spec 4.2) with a JSON patch, a merge patch or a strategic merge patch: 200 with the object. */
export async function patch(
  path: WritePath,
  resource: StoredResource,
  request: PatchRequest,
  rules: UpdateRules,
): Promise<Reply> {
  const { changed, warnings } = await patchObject(path, resource, request, rules);
  if (changed === undefined) throw errors.notFound(subjectOf(resource, request.call.info.name));
  return changedReply(200, resource, changed, { format: request.format, warnings });
}
