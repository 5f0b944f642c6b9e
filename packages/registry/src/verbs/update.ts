import type { Reply } from '@orch/request';
import type { UpdateRequest } from '../request/read-write-request.ts';
import type { WritePath } from '../resource/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { replaceObject } from '../write/replace-object.ts';
import type { UpdateRules } from '../write/rules/update-rules.ts';

/** `update` (spec 4.2): 200, or 201 where the kind permits that a PUT creates. */
export async function update(
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
