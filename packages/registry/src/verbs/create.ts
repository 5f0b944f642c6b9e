import type { Reply } from '@orch/request';
import { writeOptionsObject } from '../request/options-object.ts';
import type { PostRequest } from '../request/read-write-request.ts';
import type { WritePath } from '../resource/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { createObject } from '../write/create-object.ts';
import { objectReply } from '../write/object-reply.ts';

/** `create` (spec 4.2): 201 with the object as stored. */
export async function create(
  path: WritePath,
  resource: StoredResource,
  { call, object, options, writer, format, warnings }: PostRequest,
): Promise<Reply> {
  const { info, request, user } = call;
  const created = await createObject(path, resource, object, {
    namespace: info.namespace,
    writer,
    dryRun: options.dryRun,
    user,
    signal: request.signal,
    trace: call.trace,
    requestOptions: writeOptionsObject('CreateOptions', request, path.names),
  });
  return objectReply(201, resource, created, { format, warnings });
}
