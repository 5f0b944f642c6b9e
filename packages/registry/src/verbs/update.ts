import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { readUpdate, resourceKind } from '../request/read-write-request.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { replaceObject } from '../write/replace-object.ts';
import { mainRules, type UpdateRules } from '../write/rules/update-rules.ts';

/** `update` (spec 4.2): 200, or 201 where the kind permits that a PUT creates. */
export async function update(
  path: RequestPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const sent = await readUpdate(path, call, resourceKind(resource));
  const outcome = await replaceObject(path, resource, sent, rules);
  const { format } = sent;
  return outcome.kind === 'created'
    ? objectReply(201, resource, outcome.state, { format })
    : changedReply(200, resource, outcome.changed, { format });
}
